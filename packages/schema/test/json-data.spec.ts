/** Data as it travels: what JSON.stringify writes, but that nothing gets lost in silence. */
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { writeData } from '../src/plain/json-data';
import { runs } from '../../../test/support/matrix';

const dataOf = (value: unknown): unknown => {
  const reading = writeData(value);
  if (!reading.ok) throw new Error(JSON.stringify(reading.unwritable));
  return reading.data;
};

const refusalOf = (value: unknown): unknown => {
  const reading = writeData(value);
  return reading.ok ? 'written' : reading.unwritable;
};

it('writes all that JSON can say as JSON.stringify does', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor', 'length'));
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  const leaf = fc.oneof(text, number, fc.boolean(), fc.constantFrom(null, undefined), fc.date({ noInvalidDate: true }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.array(tie('tree')),
      fc.dictionary(text, tie('tree')),
      tie('tree').map((inner) => ({ toJSON: () => [inner] })),
      tie('tree').map((inner) => Object.assign(new (class Row {})(), { inner })),
    ),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      const json = JSON.stringify(value) as string | undefined;
      expect(JSON.stringify(dataOf(value))).toBe(json ?? 'null');
    }),
    { numRuns: runs(500) },
  );
});

it('writes Maps as objects and Sets as arrays, at any depth', () => {
  class Shelf {
    readonly books = new Map<unknown, unknown>([
      ['a', new Set([1, new Map([[2, 'two']])])],
      ['__proto__', 'a key like others'],
    ]);
  }
  expect(JSON.stringify(dataOf([new Shelf()]))).toBe(
    '[{"books":{"a":[1,{"2":"two"}],"__proto__":"a key like others"}}]',
  );
  expect(dataOf({ size: new Number(3), name: new String('n') })).toEqual({ size: 3, name: 'n' });
});

it('writes an instance without members, and one of members beside getters', () => {
  class Nothing {
    isNothing(): boolean {
      return true;
    }
  }
  class Square {
    readonly side = 2;
    get area(): number {
      return this.side ** 2;
    }
  }
  expect(dataOf([new Nothing(), new Square(), Object.create(null)])).toEqual([{}, { side: 2 }, {}]);
  expect(dataOf(runInNewContext('[{}, { a: {} }]'))).toEqual([{}, { a: {} }]);
});

it('writes a copy', () => {
  const value = { list: [{ a: 1 }] };
  expect(dataOf(value)).toEqual(value);
  expect((dataOf(value) as typeof value).list[0]).not.toBe(value.list[0]);
});

const generate = function* (): Generator<number> {
  yield 1;
};
const generateLater = async function* (): AsyncGenerator<number> {
  yield await Promise.resolve(1);
};

class Hidden {
  readonly #title = 'Solaris';
  get title(): string {
    return this.#title;
  }
}

it.each<[string, unknown]>([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
  ['NaN', new Number(NaN)],
  ['a BigInt', 1n],
  ['a function', () => 1],
  ['a function', class {}],
  ['a symbol', Symbol('x')],
  ['a promise', Promise.resolve(1)],
  ['an iterable', generate()],
  ['an iterable', new URLSearchParams('a=1').entries()],
  ['an async iterable', generateLater()],
  ['an invalid date', new Date(NaN)],
  ['an Error', Object.assign(new RangeError('gone'), { code: 'E' })],
  ['a RegExp', /x/],
  ['a WeakMap', new WeakMap()],
  ['a WeakSet', new WeakSet()],
  ['an object of Response, which hides what it holds', new Response('x')],
  ['an object of Blob, which hides what it holds', new Blob(['x'])],
  ['an object of WeakRef, which hides what it holds', new WeakRef({})],
  ['an object of Hidden, which hides what it holds', new Hidden()],
  [
    'a Map with the key 1 as a number and as text',
    new Map<unknown, number>([
      [1, 2],
      ['1', 3],
    ]),
  ],
  ['a Map with keys that are no text', new Map([[{}, 1]])],
])('refuses %s, and says where it is', (what, value) => {
  const refusal = { what, isBytes: false };
  expect(refusalOf(value)).toEqual({ ...refusal, path: [] });
  const rows = [1, 2, 3, { total: value }];
  expect(refusalOf({ a: 1, rows })).toEqual({ ...refusal, path: ['rows', 3, 'total'] });
  expect(refusalOf(new Map([['rows', new Set([rows])]]))).toEqual({ ...refusal, path: ['rows', 0, 3, 'total'] });
  expect(refusalOf({ toJSON: () => ({ rows }) })).toEqual({ ...refusal, path: ['rows', 3, 'total'] });
});

it.each([
  Buffer.from('a'),
  new Uint8Array(1),
  new Float64Array(1),
  new DataView(new ArrayBuffer(1)),
  new ArrayBuffer(1),
])('refuses binary data: %p', (bytes) => {
  expect(refusalOf([bytes])).toEqual({ what: 'binary data', isBytes: true, path: [0] });
  expect(refusalOf({ a: { toJSON: () => bytes } })).toEqual({ what: 'binary data', isBytes: true, path: ['a'] });
});

it('refuses what contains itself, and what is nested without end', () => {
  const loop: Record<string, unknown> = {};
  loop['self'] = loop;
  expect(refusalOf({ a: [loop] })).toEqual({
    what: 'an object that contains it: a circular reference',
    isBytes: false,
    path: ['a', 0, 'self'],
  });
  let deep: unknown = {};
  for (let level = 0; level < 1001; level += 1) deep = [deep];
  expect(refusalOf(deep)).toMatchObject({ what: 'nested too deeply, or contains itself' });
  const shared = { a: 1 };
  expect(dataOf([shared, shared])).toEqual([shared, shared]);
});
