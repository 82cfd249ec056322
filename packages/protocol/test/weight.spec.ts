/** What a message weighs: never less than it costs, in any shape; and it is never looked at for longer than it was parsed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parseMessage } from '@sigil-mcp/protocol';
import { weightOf, weightOfValue } from '../src/jsonrpc/weight';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const many = (count: number, text: (index: number) => string): string =>
  `[${Array.from({ length: count }, (_, index) => text(index)).join(',')}]`;

/** Texts that cost more than they look. */
const SHAPES: Readonly<Record<string, () => string>> = {
  'empty objects': () => many(100_000, () => '{}'),
  'empty arrays': () => many(100_000, () => '[]'),
  'arrays in arrays': () => many(1500, () => '['.repeat(100) + ']'.repeat(100)),
  'pairs in objects': () => many(50_000, () => '[0]'),
  'fractions and texts': () => many(75_000, () => '1.5,""'),
  'objects of one member': () => many(50_000, () => '{"a":0}'),
  'objects of names that nobody else has': () => many(30_000, (index) => `{"k${index}":0}`),
  'one object of many names': () => `{${many(35_000, (index) => `"k${index}":0`).slice(1, -1)}}`,
  'one object of many numbers': () => `{${many(35_000, (index) => `"${index}":{}`).slice(1, -1)}}`,
  'rows of a table': () =>
    many(10_000, (index) => `{"id":${index},"name":"Item ${index}","price":1.5,"tags":["a","b"]}`),
};

/** Bytes of heap that a parsed text takes. */
function costOf(text: string): number {
  const held: unknown[] = [];
  const { parse } = JSON;
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let count = 0; count < 4; count += 1) held.push(parse(text));
  collect();
  const after = process.memoryUsage().heapUsed;
  return (after - before) / held.length;
}

describe('the weight of a value', () => {
  // A tenth for what a collection leaves here and there.
  it.each(Object.keys(SHAPES))('is at least what V8 needs for it, and at most five times that: %s', (shape) => {
    const text = SHAPES[shape]?.() ?? '';
    const [cost, weight] = [costOf(text), weightOfValue(JSON.parse(text))];
    expect(weight / cost).toBeGreaterThan(0.9);
    expect(weight / cost).toBeLessThan(5);
  });

  it('of a short text is that of the worst text of its length, which nobody looks at', () => {
    expect(weightOf(100, {})).toBe(2800);
    for (const shape of Object.keys(SHAPES)) {
      const text = SHAPES[shape]?.() ?? '';
      expect(costOf(text) / text.length).toBeLessThan(28 * 1.1);
    }
  });

  it('is not added up beyond what anybody may hold', () => {
    const heavy = JSON.parse(many(200_000, () => '{}')) as unknown;
    expect(weightOfValue(heavy, 1_000_000)).toBeLessThan(3_000_000);
    expect(weightOfValue(heavy)).toBeGreaterThan(10_000_000);
  });

  it('of values deeper than any recursion is found all the same', () => {
    const deep = JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown;
    expect(weightOfValue(deep)).toBeGreaterThan(5000 * 48);
  });

  it('comes with each request, that of a batch with each of its messages', () => {
    const request = (text: string): object => ({ jsonrpc: '2.0', id: 1, method: 'x', params: { text } });
    expect(parseMessage(JSON.stringify(request('y'.repeat(5000))))).toMatchObject({ kind: 'request' });
    const [light, heavy] = [request('y'), request('y'.repeat(5000))];
    const weigh = (value: unknown): unknown => parseMessage(JSON.stringify(value));
    expect(weigh([light, heavy])).toMatchObject({
      messages: [{ weight: weightOfValue(light) }, { weight: weightOfValue(heavy) }],
    });
  });
});
