/** What a message weighs: never less than it costs, in any shape; and it is never looked at for longer than it was parsed. */
import { execFileSync } from 'node:child_process';
import { parseMessage } from '@sigil-mcp/protocol';
import { weightOf, weightOfValue } from '../src/jsonrpc/message';
import { SHAPES } from './fixtures/heap-costs.cjs';

const fixture = require.resolve('./fixtures/heap-costs.cjs');
const costs = JSON.parse(execFileSync(process.execPath, ['--expose-gc', fixture], { encoding: 'utf8' })) as Record<
  string,
  number
>;
const textOf = (shape: string): string => SHAPES[shape]?.() ?? '';
const costOf = (shape: string): number => costs[shape] ?? Infinity;
const many = (count: number, item: string): string => `[${Array(count).fill(item).join(',')}]`;

describe('the weight of a value', () => {
  // A tenth for what a collection leaves here and there.
  it.each(Object.keys(SHAPES))('is at least what V8 needs for it, and at most five times that: %s', (shape) => {
    const share = weightOfValue(JSON.parse(textOf(shape))) / costOf(shape);
    expect(share).toBeGreaterThan(0.9);
    expect(share).toBeLessThan(5);
  });

  it('of a short text is that of the worst text of its length, which nobody looks at', () => {
    expect(weightOf(100, {})).toBe(2800);
    for (const shape of Object.keys(SHAPES)) expect(costOf(shape) / textOf(shape).length).toBeLessThan(28 * 1.1);
  });

  it('is not added up beyond what anybody may hold', () => {
    const heavy = JSON.parse(many(200_000, '{}')) as unknown;
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
