/** What reaches the server from a script, whatever it does in its sandbox, and from a thread that counts nothing itself. */
import { getEventListeners } from 'node:events';
import { Worker } from 'node:worker_threads';
import { runInSandbox } from '../src/code/sandbox';
import { compiledEngine, startThread } from '../src/code/compiler';
import { READY, type EndedScript, type FromSandbox, type SandboxData } from '../src/code/threads/messages';

const LIMITS = {
  cpu: 20_000,
  memory: 64 * 1024 * 1024,
  calls: 10,
  parallel: 2,
  answer: 1000,
  words: 50,
  result: 1000,
  console: 100,
};

/** What a script, or a thread in its place, made the server do. */
interface Seen extends EndedScript {
  readonly messages: readonly FromSandbox[];
  /** Calls that reached the server. */
  readonly calls: number;
}

interface Around {
  /** Starts the thread; that of scripts if left out. */
  readonly start?: (data: SandboxData) => Worker;
  /** What runs the script; QuickJS if left out. */
  readonly engine?: object;
  /** A tool; it answers at once if left out. */
  readonly tool?: () => Promise<void>;
  /** Ends the script; nothing does if left out. */
  readonly signal?: AbortSignal;
}

async function run(body: string, around: Around = {}): Promise<Seen> {
  const { start = startSandbox, engine = await compiledEngine(), tool = () => Promise.resolve() } = around;
  const { signal = new AbortController().signal } = around;
  const script = `async function script() { ${body} }`;
  const data: SandboxData = { engine, script, names: ['one'], now: 0, seed: 0, limits: LIMITS };
  const messages: FromSandbox[] = [];
  let calls = 0;
  const call = async (): Promise<string> => {
    calls += 1;
    await tool();
    return '1';
  };
  const begin = (): Worker => start(data).on('message', (message: FromSandbox) => messages.push(message));
  const ended = await runInSandbox(
    data,
    ({ kind }) => (kind === 'call' ? call() : Promise.resolve('"nothing"')),
    signal,
    begin,
  );
  return { ...ended, messages, calls };
}

function startSandbox(data: SandboxData): Worker {
  return startThread('sandbox-thread', data, 64);
}

function charactersOf(value: unknown): number {
  return JSON.stringify(value).length;
}

const CATCH = '.catch((error) => error.message)';

it.each([
  ['long arguments', `for (let i = 0; i < 8; i++) await one({ x: 'y'.repeat(3_000_000) })${CATCH};`, 2000],
  [
    'long arguments at the same time',
    `await all(Array.from({ length: 8 }, () => one({ x: 'y'.repeat(1_000_000) })${CATCH}));`,
    2000,
  ],
  ['a search for long words', `await search('y'.repeat(3_000_000))${CATCH};`, 2000],
  ['a long result', "return 'y'.repeat(3_000_000)", 1000],
  ['a long error', "throw new Error('y'.repeat(3_000_000))", 2000],
  ['a long text that is thrown', "throw 'y'.repeat(3_000_000)", 2000],
  ['an error whose tool has a long name', "throw new ToolError('no', 'y'.repeat(3_000_000))", 1000],
  [
    'an error whose name is computed',
    "throw Object.defineProperty(new Error('no'), 'name', { get: () => 'y'.repeat(3_000_000) })",
    2000,
  ],
  [
    'an error of a promise that was replaced',
    "Object.defineProperty(Promise, Symbol.species, { get() { throw new Error('y'.repeat(3_000_000)); } }); return 1",
    2000,
  ],
  ['a long line of the console', "console.log('y'.repeat(3_000_000))", 1000],
  ['many lines of the console', "for (let i = 0; i < 20_000; i++) console.log('')", 2000],
  [
    'lines that are measured with what a script has replaced',
    `String.prototype.slice = () => 'y'.repeat(3_000_000); String.prototype.toString = String.prototype.slice;
     Object.defineProperty(String.prototype, 'length', { value: 0 }); Reflect.apply = String.prototype.slice;
     JSON.stringify = String.prototype.slice; console.log('y'.repeat(3_000_000)); console.log('y'.repeat(3_000_000));
     throw new Error('y'.repeat(3_000_000))`,
    3000,
  ],
])('hears no more than the limits of %s', async (_what, body, most) => {
  const { messages } = await run(`const { one } = tools; const all = (list) => Promise.all(list); ${body}`);
  expect(charactersOf(messages)).toBeLessThan(most);
});

it('hears of no call beyond the limit, and of no more at the same time than may be, and tells the script', async () => {
  const many = `await Promise.all(Array.from({ length: 5000 }, () => tools.one()${CATCH}))`;
  const waiting: (() => void)[] = [];
  // The first of two waits for the second.
  const tool = async (): Promise<void> => {
    const first = waiting.shift();
    if (first) return first();
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const body = `const all = ${many}; return [all.filter((one) => one === 1).length, all[10], all[4999]]`;
  const { end, calls, messages } = await run(body, { tool });
  const refused = 'A script makes up to 10 calls (limits.calls).';
  expect(end).toEqual({ kind: 'result', json: JSON.stringify([10, refused, refused]) });
  expect(calls).toBe(10);
  // It begins, calls, waits at first and after each answer, and ends.
  expect(messages.length).toBeLessThanOrEqual(23);
});

it('makes the calls that a script has not waited for, in their turns, before it ends', async () => {
  const { end, calls } = await run('for (let i = 0; i < 7; i++) void tools.one(); return 1');
  expect(end).toEqual({ kind: 'result', json: '1' });
  expect(calls).toBe(7);
});

it.each([
  [
    'arguments',
    `return await tools.one({ x: 'y'.repeat(LENGTH - 8) })${CATCH}`,
    '1',
    '"Arguments have up to 1000 characters (limits.answer)."',
  ],
  [
    'words',
    `return await search('y'.repeat(LENGTH))${CATCH}`,
    '"nothing"',
    '"search() takes words of up to 50 characters."',
  ],
])('takes %s of exactly the length that they may have', async (what, body, taken, refused) => {
  // The server counts the words themselves; a thread that cannot read them counts their JSON, in which each may be an escape.
  const [longest, tooLong] = what === 'words' ? [50, 400] : [1000, 1001];
  const answer = async (length: number) => (await run(body.replace('LENGTH', String(length)))).end;
  expect(await answer(longest)).toEqual({ kind: 'result', json: taken });
  expect(await answer(tooLong)).toEqual({ kind: 'result', json: refused });
});

it('shows results, errors and the console to their full lengths, and says where they were cut', async () => {
  expect((await run("return 'y'.repeat(998)")).end).toMatchObject({ kind: 'result' });
  expect((await run("return 'y'.repeat(999)")).end).toEqual({ kind: 'limit', limit: 'result' });
  expect((await run("throw 'y'.repeat(1000)")).end).toMatchObject({ message: 'y'.repeat(1000) });
  expect((await run("throw 'y'.repeat(1001)")).end).toMatchObject({ message: `${'y'.repeat(1000)}…` });
  expect((await run("console.log('y'.repeat(100))")).console).toEqual(['y'.repeat(100)]);
  expect((await run("console.log('y'.repeat(50)); console.log('y'.repeat(50)); console.log('z')")).console).toEqual([
    'y'.repeat(50),
    `${'y'.repeat(49)}… There is no room for more.`,
  ]);
});

it('runs in an engine that is compiled once for all scripts', async () => {
  expect(await compiledEngine()).toBe(await compiledEngine());
  await expect(run('return 1', { engine: {} })).rejects.toThrow('WebAssembly');
});

const ended = (end: object, console: string[] = []) => [{ kind: 'ended', end, console }];
const calls = (count: number, name = 'one', json = '{}') =>
  Array.from({ length: count }, (_, id) => ({ kind: 'call', id, name, json }));

it.each<[string, string, readonly unknown[]]>([
  ['calls at the same time', 'parallel', calls(3)],
  ['calls', 'calls', Array.from({ length: 11 }, (_, id) => ({ kind: 'search', id, json: '{}' }))],
  ['its own messages', 'calls', Array.from({ length: 30 }, () => ({ kind: 'waiting', settled: 0 }))],
  ['the names of tools', 'calls', calls(1, 'y'.repeat(3_000_000))],
  ['the length of arguments', 'answer', calls(1, 'one', 'y'.repeat(1001))],
  ['the length of searches', 'words', [{ kind: 'search', id: 0, json: 'y'.repeat(401) }]],
  ['the length of results', 'result', ended({ kind: 'result', json: 'y'.repeat(1001) })],
  ['the length of errors', 'result', ended({ kind: 'error', message: 'y'.repeat(1002) })],
  ['the name of the tool of an error', 'result', ended({ kind: 'error', message: '', tool: 'two' })],
  ['the length of the console', 'console', ended({ kind: 'stuck' }, ['y'.repeat(100), 'y'.repeat(100)])],
  [
    'the lines of the console',
    'console',
    ended(
      { kind: 'stuck' },
      Array.from({ length: 200 }, () => ''),
    ),
  ],
])('ends a thread that does not count %s', async (_what, limit, said) => {
  const seen = await run('', { start: () => threadThatSays(said), tool: () => new Promise(() => undefined) });
  expect(seen).toMatchObject({ end: { kind: 'limit', limit }, console: [] });
  expect(seen.calls).toBeLessThanOrEqual(2);
});

it('takes from a thread what is exactly as long as it may be', async () => {
  for (const end of [
    { kind: 'result', json: 'y'.repeat(1000) },
    { kind: 'error', message: 'y'.repeat(1001), tool: 'one' },
  ])
    expect(await run('', { start: () => threadThatSays(ended(end)) })).toMatchObject({ end });
});

/** A thread that says what it likes. */
function threadThatSays(messages: readonly unknown[]): Worker {
  const code =
    "const { parentPort, workerData } = require('node:worker_threads'); for (const one of workerData) parentPort.postMessage(one); setInterval(() => 0, 1000)";
  return new Worker(code, { eval: true, workerData: [READY, ...messages] });
}

it.each([
  ['returned', 'return 1'],
  ['thrown', "throw new Error('no')"],
])('does not listen to the end of a call any more when its script has %s', async (_how, body) => {
  // A signal that was composed, with a listener, is kept for ever by Node, with all that its listener knows.
  const { signal } = new AbortController();
  await run(body, { signal });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
