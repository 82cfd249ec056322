/** The second halves of two conditions: the deepest level itself, and a member that only the second construction of a class has. */
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import { deepestLevel } from '../src/read/compile-value';
import { compile, read, refusals } from '../../../test/support/supplies/compiled-dto';

class Node {
  @IsOptional() @ValidateNested() @Type(() => Node) next?: Node;
}

const nested = (levels: number): unknown => JSON.parse(`${'{"next":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`);

it('the deepest level is read, and the one below it is not', () => {
  expect(compile(Node).read(nested(deepestLevel))).toMatchObject({ ok: true });
  expect(refusals(Node, nested(deepestLevel + 1))).toEqual([
    expect.stringMatching(new RegExp(`is nested too deeply \\(more than ${deepestLevel} levels\\)$`)),
  ]);
});

it.each<[string, PropertyDecorator[]]>([
  ['an optional property', [IsOptional(), IsString()]],
  ['a property under a condition', [ValidateIf(() => false), IsString()]],
])('%s that only the second construction makes a member is none where nothing was sent', (_name, decorators) => {
  let made = 0;
  class Sometimes {
    declare note?: string | undefined;

    constructor() {
      if (made % 2 === 1) this.note = undefined;
      made += 1;
    }
  }
  for (const decorate of decorators) decorate(Sometimes.prototype, 'note');
  const shape = compile(Sometimes);
  for (let count = 0; count < 2; count += 1) {
    const reading = shape.read({}) as { value: object };
    expect(Object.keys(reading.value)).toEqual([]);
  }
  expect(read(Sometimes, { note: 'n' })).toEqual({ note: 'n' });
});
