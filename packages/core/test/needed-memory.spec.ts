/** What the limits of a server need, and what is said where the process has less. */
import { getHeapStatistics } from 'node:v8';
import { heapOfProcess, neededHeap } from '../src/limits/needed-memory';
import { limitsOf } from '../src/limits/server-limits';
import { warnOfHeap } from '../src/server/open-kernel';

const MIB = 1024 * 1024;

function warnings(held: number): readonly string[] {
  const said: string[] = [];
  const log = (): void => undefined;
  const logger = { debug: log, info: log, error: log, warn: (_fields: object, words: string) => void said.push(words) };
  warnOfHeap({ held, messageBytes: 4 * MIB }, logger);
  return said;
}

it('the defaults fit into a heap of 512 MB', () => {
  expect(neededHeap(limitsOf({})) / MIB).toBe(334);
});

it('a server without a limit needs any number, and nothing is said', () => {
  expect([neededHeap(limitsOf({ held: Infinity })), warnings(Infinity)]).toEqual([Infinity, []]);
});

it('limits beyond the heap of the process are said, with what to do', () => {
  const { heap_size_limit: heap } = getHeapStatistics();
  expect(heapOfProcess()?.limit).toBe(heap);
  const most = heap - (28 * 4 + 30) * MIB;
  expect(warnings(most)).toEqual([]);
  expect(warnings(most + 1)).toEqual([
    expect.stringMatching(/NODE_OPTIONS=--max-old-space-size=\d+, or lower limits\.held/),
  ]);
});

it('nothing is said where there is no V8 of Node', () => {
  const builtin = jest.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
  expect([heapOfProcess(), warnings(1e15)]).toEqual([undefined, []]);
  builtin.mockRestore();
});
