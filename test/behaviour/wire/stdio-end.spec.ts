/** How a process that speaks stdio ends: whatever happens to its client, it is not left behind. */
import { once } from 'node:events';
import { Spawner, type Exit, type SpawnedServer } from '../../support/spawned-server';
import { until } from '../../support/until';

const spawner = new Spawner();
afterEach(() => spawner.endAll());

const CLEAN: Exit = { code: 0, signal: null };
const slow = (milliseconds: number): object => ({ name: 'sleep', arguments: { milliseconds } });
const flood = { name: 'flood', _meta: { progressToken: 'p' } };

async function running(deadline = 5000, ...more: readonly string[]): Promise<SpawnedServer> {
  const server = spawner.spawn(require.resolve('./fixtures/trouble.ts'), ['--deadline', String(deadline), ...more]);
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

async function timed(exit: Promise<Exit>): Promise<Exit & { milliseconds: number }> {
  const started = performance.now();
  return { ...(await exit), milliseconds: performance.now() - started };
}

describe('the end of the input', () => {
  it('ends the process at once where nothing runs, after its onStop hooks [STDIO-006]', async () => {
    const server = await running();
    const { milliseconds, ...exit } = await timed(server.end());
    expect(exit).toEqual(CLEAN);
    expect(milliseconds).toBeLessThan(2000);
    expect(server.stderr).toBe('stopped\n');
  });

  it('fires the signals of running calls at once, and flushes what they answer all the same', async () => {
    const server = await running();
    const ids = [
      server.start('tools/call', slow(60_000)),
      server.start('tools/call', { name: 'deaf', arguments: { milliseconds: 300 } }),
      server.start('tools/call', { name: 'long', arguments: { count: 500_000 } }),
    ];
    const { milliseconds, ...exit } = await timed(server.end());
    expect(exit).toEqual(CLEAN);
    expect(milliseconds).toBeLessThan(1500);
    for (const id of ids) expect(server.messages.find((message) => message['id'] === id)).toHaveProperty('result');
    expect(server.stderr).toBe('sleep was cancelled\nstopped\n');
  });

  it('answers a last line that does not end', async () => {
    const server = await running();
    server.process.stdin.write('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    expect(await server.end()).toEqual(CLEAN);
    expect(server.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 'last', result: {} });
  });

  it('gives calls that do not finish a grace of a second, whatever the deadline', async () => {
    const server = await running(60_000);
    server.start('tools/call', slow(60_000));
    server.start('tools/call', { name: 'hang' });
    await server.request('ping');
    const { milliseconds, ...exit } = await timed(server.end());
    expect(exit).toEqual(CLEAN);
    expect(milliseconds).toBeGreaterThan(900);
    expect(milliseconds).toBeLessThan(1900);
    expect(server.stderr).toBe('sleep was cancelled\nstopped\n');
  });

  it('gives no more time than the deadline, where that is shorter', async () => {
    const server = await running(200);
    server.start('tools/call', { name: 'hang' });
    await server.request('ping');
    const { milliseconds, ...exit } = await timed(server.end());
    expect(exit).toEqual(CLEAN);
    expect(milliseconds).toBeLessThan(900);
    expect(server.stderr).toBe('stopped\n');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'followed by %s leaves the process no time but for its hooks',
    async (signal) => {
      const server = await running();
      server.start('tools/call', { name: 'hang' });
      server.start('tools/call', slow(60_000));
      await server.request('ping');
      const ended = timed(server.end());
      await server.hears('sleep was cancelled');
      server.process.kill(signal);
      const { milliseconds, ...exit } = await ended;
      expect(exit).toEqual(CLEAN);
      expect(milliseconds).toBeLessThan(900);
      expect(server.stderr).toBe('sleep was cancelled\nstopped\n');
    },
  );

  it('shortens the time that SIGTERM left', async () => {
    const server = await running(5000, '--tells-signals');
    server.start('tools/call', { name: 'hang' });
    server.start('tools/call', slow(60_000));
    await server.request('ping');
    await signalled(server, 'SIGTERM');
    const { milliseconds, ...exit } = await timed(server.end());
    expect(exit).toEqual(CLEAN);
    expect(milliseconds).toBeLessThan(1900);
    expect(server.stderr).toBe('SIGTERM\nsleep was cancelled\nstopped\n');
  });

  it('is seen while the client does not read', async () => {
    const server = await running();
    server.start('tools/call', flood);
    server.process.stdout.pause();
    await server.hears('held up');
    for (let count = 0; count < 100; count += 1) server.start('ping');
    const started = performance.now();
    server.process.stdin.end();
    await server.hears('flooded');
    expect(performance.now() - started).toBeLessThan(1000);
    const [code] = (await once(server.process, 'exit')) as [number];
    expect(code).toBe(0);
    expect(performance.now() - started).toBeLessThan(1900);
    server.process.stdout.resume();
    await server.exit;
  });

  it('ends a process that was never spoken to [STDIO-006]', async () => {
    expect(await spawner.spawn(require.resolve('./fixtures/trouble.ts')).end()).toEqual(CLEAN);
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('lets running calls finish, takes nothing new, and ends the process with 0', async () => {
    const server = await running(5000, '--tells-signals');
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
    const server = await running(5000, '--tells-signals');
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
    const { milliseconds, ...exit } = await timed(server.exit);
    expect(exit).toEqual(CLEAN);
    expect(milliseconds).toBeLessThan(2000);
    expect(server.stderr).toBe('sleep was cancelled\nstopped\n');
  });

  it('ends the process quietly where all its pipes close at once while a call writes', async () => {
    const server = await running();
    server.start('tools/call', flood);
    await server.find(({ method }) => method === 'notifications/progress', 'progress');
    for (const pipe of [server.process.stdin, server.process.stdout, server.process.stderr]) pipe.destroy();
    const { milliseconds, ...exit } = await timed(server.exit);
    expect(exit).toEqual(CLEAN);
    expect(milliseconds).toBeLessThan(2000);
  });
});

describe('a client that stops reading', () => {
  it('makes handlers wait, and does not keep SIGTERM from ending the process', async () => {
    const server = await running(300);
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
