/** The pipes to a program that a command starts: what is a message, what is rubbish, and how the program ended. */
import { until } from '../../../../test/support/until';
import { ChildPipe } from '../../src/session/child-pipe';

const started: ChildPipe[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((pipe) => pipe.close()));
});

/** A program of this code, with what a command hears of it. */
function run(code: string, command = process.execPath) {
  const messages: unknown[] = [];
  const lines: string[] = [];
  const ends: (string | undefined)[] = [];
  const target = {
    kind: 'command',
    command,
    args: ['-e', code],
    label: 'node',
    cwd: __dirname,
    env: process.env,
  } as const;
  const user = {
    ...{ waitsFor: () => false, fail: () => undefined, fault: () => undefined },
    receive: (text: string) => messages.push(JSON.parse(text)),
    end: (error: NodeJS.ErrnoException) => ends.push(error.code),
  };
  const pipe = new ChildPipe(target, user, (line) => lines.push(line));
  started.push(pipe);
  return { pipe, messages, lines, ends };
}

const ping = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
const answer = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });

it('a line that comes in many pieces is looked at once, however long it is', async () => {
  const split = jest.spyOn(String.prototype, 'split');
  const { messages, ends } = run(
    `const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(2_000_000) } });
     process.stdout.write(text + '\\n');`,
  );
  await until(() => ends.length === 1);
  const looked = split.mock.contexts.reduce((sum: number, text) => sum + String(text).length, 0);
  split.mockRestore();
  expect(messages).toHaveLength(1);
  expect(looked).toBeLessThan(2 * 2_000_000);
});

it('a message arrives as it is, also where text without an end of line stands before it', async () => {
  const { pipe, messages, ends } = run(
    `console.log('Hello'); process.stdout.write('Loading ...' + ${JSON.stringify(answer(1))} + '\\r\\n\\n' + ${JSON.stringify(answer(2))});`,
  );
  await until(() => ends.length > 0);
  // The last line has no end.
  expect(messages).toEqual([JSON.parse(answer(1)), JSON.parse(answer(2))]);
  expect([pipe.rubbish, pipe.spoke]).toEqual([['Hello', 'Loading ...'], true]);
  // It was another kind of program, which is not started again for a handshake.
  expect([pipe.ending, ends]).toEqual(['status 0', ['SIGIL_CLIENT_CLOSED']]);
});

it('the program reads what is sent, a line each', async () => {
  const echo = `process.stdin.on('data', (text) => process.stdout.write(String(text).replaceAll('"method":"ping"', '"result":{}')));`;
  const { pipe, messages } = run(echo);
  for (const id of [1, 2]) await pipe.send(ping(id));
  await until(() => messages.length === 2);
  expect(messages).toEqual([JSON.parse(answer(1)), JSON.parse(answer(2))]);
});

it('of endless rubbish the beginning is kept, of an endless log the end', async () => {
  const { pipe, lines, ends } = run(
    `for (let n = 0; n < 600; n++) { console.log('out ' + n); console.error('err ' + n); }`,
  );
  await until(() => ends.length > 0);
  expect([pipe.rubbish.length, pipe.rubbish[0]]).toEqual([25, 'out 0']);
  expect([pipe.lastWords.length, pipe.lastWords[0], lines.length]).toEqual([500, 'err 100', 600]);
  expect(pipe.spoke).toBe(false);
});

it('a program that has ended is said how it ended, and is sent nothing', async () => {
  const { pipe, ends } = run('process.exit(3)');
  await until(() => ends.length > 0);
  expect(pipe.ending).toBe('status 3');
  expect(ends).toEqual(['SIGIL_CLIENT_PROGRAM_ENDED']);
  await expect(pipe.send(ping(1))).rejects.toMatchObject({ code: 'SIGIL_CLI_NOBODY_READS' });
});

it('a program that leaves another one with its pipes is over all the same', async () => {
  const { pipe, ends } = run(
    `require('node:child_process').spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'inherit' }); process.exit(0);`,
  );
  await until(() => ends.length > 0);
  expect(pipe.ending).toBe('status 0');
});

it('a program that cannot be started fails with the error of the system', async () => {
  const { pipe, ends } = run('', '/no/such/program');
  await until(() => ends.length > 0);
  expect([pipe.startFailure?.code, ends[0]]).toEqual(['ENOENT', 'ENOENT']);
});
