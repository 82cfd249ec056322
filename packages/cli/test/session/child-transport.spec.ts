/** The pipes to a program that a command starts: what is a message, what is rubbish, and how the program ended. */
import * as commonJs from '@modelcontextprotocol/client';
import { until } from '../../../../test/support/until';
import type { Message, OfficialClient } from '../../src/official-client';
import { ChildTransport } from '../../src/session/child-transport';

// The same module: the command imports it as an ES module, whose classes have types of their own.
const official = commonJs as unknown as OfficialClient;

const started: ChildTransport[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((transport) => transport.close()));
});

/** A program of this code, with what a command hears of it. */
function run(code: string, command = process.execPath) {
  const messages: Message[] = [];
  const lines: string[] = [];
  let closed = 0;
  const target = {
    kind: 'command',
    command,
    args: ['-e', code],
    label: 'node',
    cwd: __dirname,
    env: process.env,
  } as const;
  const transport = new ChildTransport(target, official, (line) => lines.push(line));
  transport.onmessage = (message) => messages.push(message);
  transport.onclose = () => (closed += 1);
  started.push(transport);
  return { transport, messages, lines, closed: () => closed };
}

const ping = (id: number): Message => ({ jsonrpc: '2.0', id, method: 'ping' });
const answer = (id: number): string => JSON.stringify({ jsonrpc: '2.0', id, result: {} });

it('a line that comes in many pieces is looked at once, however long it is', async () => {
  const split = jest.spyOn(String.prototype, 'split');
  const { transport, messages, closed } = run(
    `const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(2_000_000) } });
     process.stdout.write(text + '\\n');`,
  );
  await transport.start();
  await until(() => closed() === 1);
  const looked = split.mock.contexts.reduce((sum: number, text) => sum + String(text).length, 0);
  split.mockRestore();
  expect(messages).toHaveLength(1);
  expect(looked).toBeLessThan(2 * 2_000_000);
});

it('a message arrives as it is, also where text without an end of line stands before it', async () => {
  const { transport, messages, closed } = run(
    `console.log('Hello'); process.stdout.write('Loading ...' + ${JSON.stringify(answer(1))} + '\\r\\n\\n' + ${JSON.stringify(answer(2))});`,
  );
  await transport.start();
  await until(() => closed() > 0);
  // The last line has no end.
  expect(messages).toEqual([JSON.parse(answer(1)), JSON.parse(answer(2))]);
  expect([transport.rubbish, transport.spoke]).toEqual([['Hello', 'Loading ...'], true]);
  expect([transport.ending, closed()]).toEqual(['status 0', 1]);
});

it('the program reads what is sent, a line each', async () => {
  const echo = `process.stdin.on('data', (text) => process.stdout.write(String(text).replaceAll('"method":"ping"', '"result":{}')));`;
  const { transport, messages } = run(echo);
  await transport.start();
  for (const id of [1, 2]) await transport.send(ping(id));
  await until(() => messages.length === 2);
  expect(messages).toEqual([JSON.parse(answer(1)), JSON.parse(answer(2))]);
});

it('of endless rubbish the beginning is kept, of an endless log the end', async () => {
  const { transport, lines, closed } = run(
    `for (let n = 0; n < 600; n++) { console.log('out ' + n); console.error('err ' + n); }`,
  );
  await transport.start();
  await until(() => closed() > 0);
  expect([transport.rubbish.length, transport.rubbish[0]]).toEqual([25, 'out 0']);
  expect([transport.lastWords.length, transport.lastWords[0], lines.length]).toEqual([500, 'err 100', 600]);
  expect(transport.spoke).toBe(false);
});

it('a program that has ended is said how it ended, and is sent nothing', async () => {
  const { transport, closed } = run('process.exit(3)');
  await transport.start();
  await until(() => closed() > 0);
  expect(transport.ending).toBe('status 3');
  await expect(transport.send(ping(1))).rejects.toMatchObject({ code: 'SIGIL_CLI_NOBODY_READS' });
});

it('a program that leaves another one with its pipes is over all the same', async () => {
  const { transport, closed } = run(
    `require('node:child_process').spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'inherit' }); process.exit(0);`,
  );
  await transport.start();
  await until(() => closed() > 0);
  expect(transport.ending).toBe('status 0');
});

it('a program that cannot be started fails with the error of the system', async () => {
  const { transport } = run('', '/no/such/program');
  await expect(transport.start()).rejects.toMatchObject({ code: 'ENOENT' });
  expect(transport.startFailure?.code).toBe('ENOENT');
});
