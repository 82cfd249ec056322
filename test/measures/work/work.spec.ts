/**
 * The work of a call, counted and not timed: how often functions of the packages are called, and how often a socket is written to.
 * Both are the same on every machine; more than a tenth above what is recorded fails.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The work of one call on each way. */
interface Work {
  /** Way -> calls of functions, and writes to the socket of the client. */
  readonly ways: Readonly<Record<string, { readonly total: number; readonly writes: number }>>;
  /** Function -> how often it is called on each way, in their order. */
  readonly functions: Readonly<Record<string, readonly number[]>>;
}

const TOLERANCE = 1.1;
const ADVICE = `Look at what is called more, most of it first. If it has to be, record it: npm run work -- --record`;

const recorded = JSON.parse(readFileSync(join(__dirname, 'recorded.json'), 'utf8')) as Work;
let counted: Work;

beforeAll(async () => {
  const program = join(__dirname, 'count-work.cjs');
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-opt', program], {
    maxBuffer: 64 * 1024 * 1024,
  });
  counted = JSON.parse(stdout) as Work;
});

/** What is called more on a way than it was, the largest difference first. */
function growth(way: number): string[] {
  const more = Object.entries(counted.functions).map(([name, calls]) => {
    const before = recorded.functions[name]?.[way] ?? 0;
    return [name, (calls[way] ?? 0) - before] as const;
  });
  const grown = more.filter(([, difference]) => difference > 0).sort(([, one], [, other]) => other - one);
  return grown.slice(0, 20).map(([name, difference]) => `+${difference} ${name}`);
}

it('is recorded for every way and every tool', () => {
  expect(Object.keys(counted.ways)).toEqual(Object.keys(recorded.ways));
});

it.each(Object.keys(recorded.ways))('is no more than recorded: %s', (way) => {
  const [now, before] = [counted.ways[way], recorded.ways[way]];
  const isMore = !now || !before || now.total > before.total * TOLERANCE || now.writes > before.writes;
  const words = `${way}: ${JSON.stringify(now)} instead of ${JSON.stringify(before)}`;
  const index = Object.keys(recorded.ways).indexOf(way);
  expect(isMore ? [words, ADVICE, ...growth(index)] : []).toEqual([]);
});
