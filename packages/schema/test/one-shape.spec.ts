/** One class or schema, compiled without a server. */
import { DefinitionError } from '@sigil-mcp/base';
import { IsInt, IsString, MaxLength } from 'class-validator';
import { z } from 'zod';
import { formShape, inputShape, outputShape } from '../src';

class Point {
  @IsInt() x!: number;
}

describe('the shape of one source', () => {
  it('reads by a class, a schema of another library and a JSON Schema', async () => {
    const raw = { type: 'object', properties: { x: { type: 'integer' } }, required: ['x'] } as const;
    for (const source of [Point, z.object({ x: z.number() }), raw]) {
      expect(await inputShape(source).read({ x: 1 })).toEqual({ ok: true, value: { x: 1 } });
      expect(await inputShape(source).read({ x: 'a' })).toMatchObject({ ok: false });
    }
  });

  it('converts what is sent as text, if it is asked to', () => {
    expect(inputShape(Point, { strings: true }).read({ x: '1' })).toEqual({ ok: true, value: { x: 1 } });
  });

  it('writes the declared members only', () => {
    expect(outputShape(Point).write({ x: 1, y: 2 })).toEqual({ ok: true, value: { x: 1 } });
  });

  it('throws what a form cannot show', () => {
    class Deep {
      @IsInt({ each: true }) items!: number[];
    }
    expect(() => formShape(Deep)).toThrow(/SIGIL_DTO_FORM_ARRAY/);
  });

  it('throws everything that is wrong with the class, with its codes', () => {
    class Bare {
      @IsInt() @IsString() both!: number;
      @MaxLength(3) @IsInt() neither!: number;
    }
    expect(() => inputShape(Bare)).toThrow(DefinitionError);
    expect(() => inputShape(Bare)).toThrow(/^The schema has 2 definition errors:\n {2}1\. schema: Bare\.both /);
  });
});
