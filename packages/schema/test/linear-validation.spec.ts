/** No rule looks at each item once for each other one: twice the items are at most about twice the work, which is counted. */
import { Transform } from 'class-transformer';
import { Allow, ArrayUnique } from 'class-validator';
import type { InputShape, JsonSchema, Reading } from '../src/value-plan';
import { findTwins, JsonSet } from '../src/rules/unique-items';
import { QuickList } from '../src/rules/rule';
import { RawSchemas } from '../src/raw/raw-schema';
import { compile } from '../../../test/support/supplies/compiled-dto';

function raw(items: JsonSchema): InputShape {
  const problems: unknown[] = [];
  const schema = { type: 'object', properties: { items: { type: 'array', ...items } } };
  const shape = new RawSchemas().compileInput(schema, (problem) => problems.push(problem), 'Test.method');
  expect(problems).toEqual([]);
  return shape!;
}

/** How often members of so many different items are read while they are validated. */
function readsOf(shape: InputShape, count: number): number {
  let reads = 0;
  const item = (id: number): object =>
    new Proxy(
      { kind: 'item', id },
      {
        get: (target, name, receiver): unknown => {
          reads += 1;
          return Reflect.get(target, name, receiver);
        },
        ownKeys: (target) => {
          reads += 1;
          return Reflect.ownKeys(target);
        },
      },
    );
  expect(shape.read({ items: Array.from({ length: count }, (_, id) => item(id)) })).toMatchObject({ ok: true });
  return reads;
}

const choices = (count: number): object[] => Array.from({ length: count }, (_, id) => ({ kind: 'item', id }));

it.each<[string, JsonSchema]>([
  ['uniqueItems', { uniqueItems: true }],
  ['uniqueItems of objects', { uniqueItems: true, items: { type: 'object' } }],
  ['uniqueItems within anyOf', { anyOf: [{ uniqueItems: true }] }],
  ['contains', { contains: { properties: { id: { const: 0 } } } }],
  ['not contains', { not: { contains: { required: ['missing'] } } }],
])('%s of a raw schema looks at each item once', (_name, items) => {
  const shape = raw(items);
  const [once, twice] = [readsOf(shape, 200), readsOf(shape, 400)];
  expect(twice).toBeLessThanOrEqual(2.2 * once + 20);
});

it('enum of a raw schema looks at each item once, however many choices there are', () => {
  const few = readsOf(raw({ items: { enum: choices(100) } }), 100);
  expect(readsOf(raw({ items: { enum: choices(1000) } }), 100)).toBe(few);
});

it('contains of a raw schema keeps no failure of an item', () => {
  const { failures } = raw({ contains: { type: 'string' } }).read({ items: [1, 2, 3] }) as Reading<unknown> & {
    ok: false;
  };
  expect(failures).toEqual([{ path: 'items', message: 'must contain at least 1 valid item(s)' }]);
  const several = raw({ contains: { type: 'string' }, minContains: 2, maxContains: 3 });
  expect([[], ['a'], ['a', 1, 'b'], ['a', 'b', 'c', 'd']].map((items) => several.read({ items }))).toMatchObject([
    { ok: false },
    { ok: false },
    { ok: true },
    { ok: false },
  ]);
});

it('what is there twice is named with its places, whatever the order of its keys', () => {
  const twins = [{ a: 1, b: [{}] }, 1, '1', { b: [{}], a: 1 }];
  expect(raw({ uniqueItems: true }).read({ items: twins })).toEqual({
    ok: false,
    failures: [{ path: 'items', message: 'must NOT have duplicate items (items ## 0 and 3 are identical)' }],
  });
  expect(findTwins([0, -0])).toEqual([0, 1]);
  expect(findTwins([1, '1', true, 'true', null, 'null', [], {}, '[]', '{}', [1], ['1']])).toBeUndefined();
});

it('a set of JSON has what is equal, and no more', () => {
  const set = new JsonSet([1, '2', null, { a: 1, b: 2 }, [1, 2]]);
  expect([1, '2', null, { b: 2, a: 1 }, [1, 2], -0].map((value) => set.has(value))).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(['1', 2, {}, [2, 1], undefined].some((value) => set.has(value))).toBe(false);
});

it('the choices of a raw schema are told where none was met', () => {
  const shape = raw({ items: { enum: ['a', { b: 1 }] } });
  expect(shape.read({ items: ['a', { b: 1 }] })).toMatchObject({ ok: true });
  expect(shape.read({ items: ['b'] })).toEqual({
    ok: false,
    failures: [{ path: 'items[0]', message: 'must be one of ["a",{"b":1}]' }],
  });
});

describe('@ArrayUnique of class-validator', () => {
  class ById {
    @Allow() @ArrayUnique(({ id }: { id: number }) => id) items!: object[];
  }
  class Made {
    @ArrayUnique()
    @Allow()
    @Transform(({ value }: { value: number[] }) => value.map((each) => each + 1))
    items!: number[];
  }
  const twins = (shape: InputShape, items: unknown[]): boolean => (shape.read({ items }) as Reading<unknown>).ok;

  it('means what it did', () => {
    expect(twins(compile(ById), [{ id: 1 }, { id: 2 }])).toBe(true);
    expect(
      twins(compile(ById), [
        { id: 1, a: 1 },
        { id: 1, a: 2 },
      ]),
    ).toBe(false);
    expect(twins(compile(Made), [1, 2])).toBe(true);
    expect(twins(compile(Made), [1, 1])).toBe(false);
  });

  it('is given a list that is not looked through for each item', () => {
    const list = QuickList.from([3, 1, 3, Number.NaN]);
    expect([list.indexOf(3), list.indexOf(1), list.indexOf(2), list.indexOf(Number.NaN)]).toEqual([0, 1, -1, -1]);
    const search = jest.spyOn(Array.prototype, 'indexOf');
    const many = Array.from({ length: 1000 }, (_, id) => ({ id }));
    try {
      expect(twins(compile(ById), many)).toBe(true);
      expect(
        twins(
          compile(Made),
          many.map(({ id }) => id),
        ),
      ).toBe(true);
      expect(search.mock.contexts.filter((list) => Array.isArray(list) && list.length === 1000)).toEqual([]);
    } finally {
      search.mockRestore();
    }
  });
});
