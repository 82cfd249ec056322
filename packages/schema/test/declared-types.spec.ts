/** What the compiler names as the type of a property may be anything that has the name of the type: no such thing stops a server. */
import { Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { AnyOf, RecordOf } from '../src';
import { compileOutput } from '../src/compile-shapes';
import type { Class } from '@sigil-mcp/base';
import { codesOf, compile, read } from '../../../test/support/supplies/compiled-dto';

function* generator(): Generator<number> {
  yield 1;
}
async function later(): Promise<void> {
  await Promise.resolve();
}
const { method } = { method(): void {} };
const withoutPrototype = Object.assign(function () {}, { prototype: null });

const oddTypes: readonly (readonly [string, unknown])[] = [
  ['an arrow function', (text: string): string => text],
  ['an async function', later],
  ['a generator', generator],
  ['a method', method],
  ['a bound function', function () {}.bind(null)],
  ['a function without a prototype', withoutPrototype],
  ['an object', { a: 1 }],
  ['null', null],
  ['a text', 'Money'],
  ['a symbol', Symbol('Money')],
  ['a number', 5],
];

const declare = (type: unknown, ...decorators: PropertyDecorator[]): Class => {
  class Cost {
    declare price: unknown;
  }
  for (const decorate of [...decorators, Reflect.metadata('design:type', type)]) decorate(Cost.prototype, 'price');
  return Cost;
};

describe.each(oddTypes)('%s as the type of a property', (_name, type) => {
  it('is as good as no type', () => {
    const Cost = declare(type, IsOptional());
    expect(compile(Cost).vague).toMatchObject([
      { code: 'SIGIL_DTO_ANY_VALUE', problem: expect.stringMatching(/^Cost.price/) as string },
    ]);
    expect(read(Cost, { price: '5' })).toEqual({ price: '5' });
    expect(compileOutput(Cost, fail, 'here')?.schema).toMatchObject({ properties: { price: {} } });
    expect(compile(declare(type, IsString())).schema['properties']).toEqual({ price: { type: 'string' } });
  });

  it('is no class to be nested', () => {
    expect(codesOf(declare(type, ValidateNested()))).toEqual(['SIGIL_DTO_NESTED_WITHOUT_TYPE']);
    const named = type as Class<object> & (new () => object);
    for (const decorate of [Type(() => named), AnyOf(() => [String, named]), RecordOf(() => named)])
      expect(codesOf(declare(Object, decorate, IsOptional())).every((code) => code.startsWith('SIGIL_DTO_'))).toBe(
        true,
      );
  });
});

function fail(problem: unknown): never {
  throw new Error(JSON.stringify(problem));
}
