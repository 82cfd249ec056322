/** What happens to the process: signals, a blocked loop, pipes that are full or gone. */
import { once } from 'node:events';
import { join } from 'node:path';
import { compileFixture } from '../../support/compile-fixture';
import { settled } from '../../support/watched/settled';
import { WatchedServer } from '../../support/watched/watched-server';
import { answered, callOf, expectService, post, rounded, type Fault, type Report } from './fault';

/** The server of all faults. */
export const hostile = (): string => compileFixture(join(__dirname, '..', '..', 'support', 'watched', 'hostile.ts'));

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'faults', version: '1' } },
};

/** Signals and pipes. */
export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'SIGTERM while calls run (HTTP)',
    expected:
      'calls that finish within the deadline are answered, the others end, the process exits with 0 soon after the deadline',
    isQuick: true,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const short = post(server.url, callOf('sleep', { milliseconds: 120 }));
      const long = post(server.url, callOf('wait')).then(
        ({ status }) => status,
        () => 'cut off',
      );
      await settled(() => false, 60);
      const began = performance.now();
      server.kill('SIGTERM');
      report.expect((await short).text.includes('slept'), 'the short call is answered');
      const exit = await server.exit;
      report.expect(exit === 'exit 0', exit);
      report.expect(performance.now() - began < 6000, `after ${rounded(performance.now() - began)} (deadline 1 s)`);
      report.say(`the call without an end: ${await long}`);
    },
  },
  {
    name: 'SIGKILL, and a restart',
    expected: 'clients see the connection end; the new process answers that their session has ended, and serves them',
    isQuick: true,
    run: async (report) => {
      const first = await WatchedServer.startHttp(hostile());
      const session = await openSession(first.url);
      const cut = post(first.url, callOf('wait')).then(
        () => 'answered',
        () => 'cut off',
      );
      await settled(() => false, 100);
      await first.end();
      report.expect((await cut) === 'cut off', 'the running call is cut off');
      const second = await WatchedServer.startHttp(hostile(), { env: { PORT: first.url.port } });
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const headers = { 'content-type': 'application/json', accept: '*/*', 'mcp-session-id': session };
      const stale = await fetch(second.url, { method: 'POST', headers, body: JSON.stringify(ping) });
      report.expect(stale.status === 404, `the old session gets ${stale.status}`);
      await expectService(report, second, 'a new client');
      await second.end();
    },
  },
  {
    name: 'a blocked event loop, 3 s',
    expected: 'nobody is answered meanwhile, everybody afterwards; no connection is lost',
    isQuick: true,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      server.block(3000);
      const all = await Promise.all(Array.from({ length: 50 }, () => answered(server.url)));
      report.expect(!all.includes(undefined), '50 of 50 calls are answered');
      await expectService(report, server);
      await server.end();
    },
  },
  {
    name: 'stderr open and full, because nobody reads it (HTTP)',
    expected: 'errors are still answered, and the process lives',
    isQuick: true,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const before = (await server.collect()).heapUsed;
      server.child.stderr?.removeAllListeners('data').pause();
      const calls = Array.from({ length: 2000 }, () => () => post(server.url, callOf('fail')));
      let count = 0;
      while (calls.length > 0)
        for (const { status } of await Promise.all(calls.splice(0, 50).map((call) => call())))
          count += Number(status === 200);
      report.expect(count === 2000, `${count} of 2000 failing calls are answered`);
      await expectService(report, server);
      const held = (await server.collect()).heapUsed - before;
      report.say(held > 1024 * 1024 ? 'log lines wait in memory' : 'nothing waits in memory');
      await server.end();
    },
  },
  ...(['HTTP', 'stdio'] as const).map((way) => ({
    name: `stderr whose reader is gone (${way})`,
    expected: 'errors are still answered, and the process lives',
    isQuick: true,
    run: (report: Report) => deafened(report, way),
  })),
  {
    name: 'stdout closed by the client (stdio)',
    expected: 'the process ends by itself with 0',
    isQuick: true,
    run: async (report) => {
      const server = WatchedServer.start(hostile());
      server.stdin.write(`${JSON.stringify(initialize)}\n`);
      await once(server.stdout, 'data');
      server.stdout.destroy();
      for (let id = 1; id < 20; id++) server.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}\n`);
      const ended = await settled(() => server.ended !== undefined, 10_000);
      report.expect(ended && server.ended === 'exit 0', `it ends (${server.ended ?? 'it did not'})`);
      await server.end();
    },
  },
  {
    name: 'end of input while calls run (stdio)',
    expected: 'the process ends by itself with 0',
    isQuick: true,
    run: async (report) => {
      const server = WatchedServer.start(hostile());
      server.stdout.resume();
      server.stdin.write(`${JSON.stringify(callOf('wait'))}\n`);
      await server.figures();
      const began = performance.now();
      server.stdin.end();
      const ended = await settled(() => server.ended !== undefined, 10_000);
      report.expect(ended && server.ended === 'exit 0', `it ends (${server.ended ?? 'it did not'})`);
      report.say(`after ${rounded(performance.now() - began)}`);
      await server.end();
    },
  },
];

async function openSession(url: URL): Promise<string> {
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) });
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

async function deafened(report: Report, way: 'HTTP' | 'stdio'): Promise<void> {
  const fails = callOf('fail');
  if (way === 'HTTP') {
    const server = await WatchedServer.startHttp(hostile());
    server.child.stderr?.destroy();
    let count = 0;
    for (; count < 200; count++) if ((await post(server.url, fails)).status !== 200) break;
    report.expect(count === 200, `${count} of 200 failing calls are answered`);
    await expectService(report, server);
    return server.end();
  }
  const server = WatchedServer.start(hostile());
  server.child.stderr?.destroy();
  let text = '';
  server.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  for (let id = 0; id < 200; id++) server.stdin.write(`${JSON.stringify({ ...fails, id })}\n`);
  await settled(() => text.split('\n').length > 200 || server.ended !== undefined, 10_000);
  report.expect(text.split('\n').length === 201, `${text.split('\n').length - 1} of 200 failing calls are answered`);
  report.expect(server.ended === undefined, 'the process lives');
  await server.end();
}
