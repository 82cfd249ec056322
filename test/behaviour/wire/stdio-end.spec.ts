/** How a process that speaks stdio ends: whatever happens to its client, it is not left behind. */
import { once } from 'node:events';
import { Spawner, type Exit, type SpawnedServer } from '../../support/spawned-server';
import { until } from '../../support/until';

const spawner = new Spawner();
afterEach(() => spawner.endAll());

const CLEAN: Exit = { code: 0, signal: null };
const slow = (milliseconds: number): object => ({ name: 'sleep', arguments: { milliseconds } });
const flood = { name: 'flood', _meta: { progressToken: 'p' } };

/** A server none of whose timers fires: what ends has not waited for one. */
const running = (...options: readonly string[]): Promise<SpawnedServer> => started('--no-timers', ...options);

async function started(...options: readonly string[]): Promise<SpawnedServer> {
  const server = spawner.spawn(require.resolve('./fixtures/trouble.ts'), options);
  await server.initialize();
  return server;
}

/** Sends a signal, and waits until the process has been told: nothing that is sent from now on comes before it. */
async function signalled(server: SpawnedServer, signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  server.process.kill(signal);
  await server.hears(`${signal}\n`);
}

/** Waits until what the server writes has no room with a client that does not read. */
function held({ process: { stdout } }: SpawnedServer): Promise<void> {
  return until(() => stdout.readableLength >= stdout.readableHighWaterMark);
}

describe('the end of the input', () => {
  it('ends the process at once where nothing runs, after its onStop hooks [STDIO-006]', async () => {
    const server = await running();
    expect(await server.end()).toEqual(CLEAN);
    expect(server.stderr).toBe('stopped\n');
  });

  it('fires the signals of running calls at once, and flushes what they answer all the same', async () => {
    const server = await running();
    const ids = [
      server.start('tools/call', slow(60_000)),
      server.start('tools/call', { name: 'deaf', arguments: { milliseconds: 300 } }),
      server.start('tools/call', { name: 'long', arguments: { count: 500_000 } }),
    ];
    expect(await server.end()).toEqual(CLEAN);
    for (const id of ids) expect(server.messages.find((message) => message['id'] === id)).toHaveProperty('result');
    expect(server.stderr).toBe('sleep was cancelled\nstopped\n');
  });

  it('answers a last line that does not end', async () => {
    const server = await running();
    server.process.stdin.write('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    expect(await server.end()).toEqual(CLEAN);
    expect(server.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 'last', result: {} });
  });

  it('is seen while the client does not read', async () => {
    // What is written has nowhere to go, so the deadline ends it.
    const server = await started();
    server.start('tools/call', flood);
    server.process.stdout.pause();
    await server.hears('held up');
    for (let count = 0; count < 100; count += 1) server.start('ping');
    server.process.stdin.end();
    await server.hears('flooded');
    const [code] = (await once(server.process, 'exit')) as [number];
    expect(code).toBe(0);
    server.process.stdout.resume();
    await server.exit;
  });

  it('ends a process that was never spoken to [STDIO-006]', async () => {
    expect(await spawner.spawn(require.resolve('./fixtures/trouble.ts')).end()).toEqual(CLEAN);
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('lets running calls finish, takes nothing new, and ends the process with 0', async () => {
    const server = await running('--tells-signals');
    const id = server.start('tools/call', slow(500));
    await server.request('ping');
    await signalled(server, signal);
    const late = server.start('ping');
    expect(await server.exit).toEqual(CLEAN);
    expect(server.messages.find((message) => message['id'] === id)).toHaveProperty('result');
    expect(server.messages.find((message) => message['id'] === late)).toBeUndefined();
    expect(server.stderr).toBe(`${signal}\nstopped\n`);
  });

  it('sent twice ends the process at once, with 128 and its number', async () => {
    const server = await running('--tells-signals');
    server.start('tools/call', { name: 'hang' });
    await server.request('ping');
    await signalled(server, signal);
    server.process.kill(signal);
    expect(await server.exit).toEqual({ code: signal === 'SIGTERM' ? 143 : 130, signal: null });
  });
});

describe('a client that is gone', () => {
  it('ends the process quietly where the pipe breaks, also while calls run', async () => {
    const server = await running();
    server.start('tools/call', { name: 'hang' });
    server.start('tools/call', slow(60_000));
    await server.request('ping');
    server.process.stdout.destroy();
    server.start('ping');
    expect(await server.exit).toEqual(CLEAN);
    expect(server.stderr).toBe('sleep was cancelled\nstopped\n');
  });

  it('ends the process quietly where all its pipes close at once while a call writes', async () => {
    const server = await running();
    server.start('tools/call', flood);
    await server.find(({ method }) => method === 'notifications/progress', 'progress');
    for (const pipe of [server.process.stdin, server.process.stdout, server.process.stderr]) pipe.destroy();
    expect(await server.exit).toEqual(CLEAN);
  });
});

describe('a client that stops reading', () => {
  it('makes handlers wait, and does not keep SIGTERM from ending the process', async () => {
    const server = await started('--deadline', '300');
    server.start('tools/call', flood);
    server.process.stdout.pause();
    await server.hears('held up');
    server.process.kill('SIGTERM');
    const exit = new Promise((resolve) => server.process.once('exit', (code, signal) => resolve({ code, signal })));
    expect(await exit).toEqual(CLEAN);
    server.process.stdout.resume();
    await server.exit;
    expect(Number(/flooded (\d+)/.exec(server.stderr)?.[1])).toBeLessThan(5000);
  });

  it('finds everything it was sent when it reads again', async () => {
    const server = await running();
    server.process.stdout.pause();
    const ids = Array.from({ length: 50 }, () =>
      server.start('tools/call', { name: 'long', arguments: { count: 20_000 } }),
    );
    await held(server);
    server.process.stdout.resume();
    for (const id of ids) expect(await server.answer(id)).toHaveProperty('result');
  });
});
