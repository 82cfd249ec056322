/** Connections that say nothing are counted, and refused beyond the limits. */
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { HttpTransport } from '@sigil-mcp/fastify';
import { createServer, type ServerOptions } from '@sigil-mcp/core';
import { ManualClock } from '@sigil-mcp/testing';
import { connectionLimitsOf } from '../src/options/connection-limits';
import { until } from '../../../test/support/until';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The second address of this machine that a server at `localhost` has; a machine may have no IPv6. */
const OTHER = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
  ? '::1'
  : '127.0.0.2';

/** A connection, and what came on it. */
interface Heard {
  readonly socket: Socket;
  text: string;
  isOver: boolean;
}

/** @returns what opens a connection from an address of this machine */
async function serving(
  options: ConstructorParameters<typeof HttpTransport>[0],
  more: Partial<ServerOptions> = {},
  asked: (path: string) => void = () => undefined,
) {
  const transport = new HttpTransport({ port: 0, host: 'localhost', handleSignals: false, ...options });
  transport.app.addHook('onRequest', (request, _reply, done) => {
    asked(request.url);
    done();
  });
  const server = createServer({ name: 'x', version: '1.0.0', logger: false, ...more });
  closing.push(() => server.close());
  await server.listen(transport);
  const { port } = new URL(transport.url ?? '');
  return async ({ from = '127.0.0.1', first = '', allowHalfOpen = false } = {}): Promise<Heard> => {
    const socket = connect({
      port: Number(port),
      host: isIP(from) === 6 ? from : '127.0.0.1',
      localAddress: from,
      allowHalfOpen,
    });
    closing.push(() => socket.destroy());
    const heard: Heard = { socket, text: '', isOver: false };
    socket.on('data', (data) => (heard.text += data.toString('latin1')));
    socket.on('close', () => (heard.isOver = true)).on('error', () => undefined);
    if (first !== '') socket.write(first);
    await once(socket, 'connect').catch(() => undefined);
    return heard;
  };
}

const ASK = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

async function answers(heard: Heard): Promise<void> {
  heard.socket.write(ASK);
  await until(() => heard.text.startsWith('HTTP/1.1 200'));
}

it('gives one address no more than its limit, and others theirs, and has room again when one is closed', async () => {
  const refused: (string | undefined)[] = [];
  const open = await serving(
    { connections: { perAddress: 3 } },
    { observers: [{ requestRefused: ({ limit }) => void refused.push(limit) }] },
  );
  const own = [await open(), await open(), await open()];
  const beyond = await open();
  await until(() => beyond.isOver);
  expect(beyond.text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
  expect(beyond.text).toContain('retry-after: 1\r\n');
  expect(beyond.text).toContain('An address may have 3 connections (connections.perAddress). Try again later.');
  expect(refused).toEqual(['connections.perAddress']);
  for (const each of [...own, await open({ from: OTHER })]) await answers(each);
  own[0]?.socket.destroy();
  await until(async () => {
    const next = await open();
    next.socket.write(ASK);
    await until(() => next.isOver || next.text !== '');
    return next.text.startsWith('HTTP/1.1 200');
  });
});

it('gives all clients together no more than their limit', async () => {
  const open = await serving({ connections: { all: 2, perAddress: 2 } });
  await Promise.all([open({ from: OTHER }), open()]);
  const beyond = await open();
  await until(() => beyond.isOver);
  expect(beyond.text).toContain('All clients together may have 2 connections (connections.all). Try again later.');
});

it('does not count the proxies that it trusts as clients, and everybody else as before', async () => {
  const open = await serving({ connections: { perAddress: 1 }, trustProxy: [OTHER] });
  for (let number = 0; number < 3; number += 1) await answers(await open({ from: OTHER }));
  await answers(await open());
  const beyond = await open();
  await until(() => beyond.isOver);
  expect(beyond.text).toContain('(connections.perAddress)');
});

it('answers further requests on a connection that is counted, and runs none on one that is refused', async () => {
  const asked: string[] = [];
  const open = await serving({ connections: { all: 1, perAddress: 1 } }, {}, (path) => asked.push(path));
  const own = await open();
  for (const path of ['/first', '/second']) {
    own.text = '';
    own.socket.write(ASK.replace('/healthz', path));
    await until(() => own.text.startsWith('HTTP/1.1 404'));
  }
  const beyond = await open({ first: ASK.replace('/healthz', '/third') });
  await until(() => beyond.isOver);
  expect(beyond.text).toMatch(/^HTTP\/1.1 503 /);
  expect(beyond.text.split('HTTP/1.1')).toHaveLength(2);
  expect(asked).toEqual(['/first', '/second']);
});

it('writes one entry about refused connections into the log, with what to do behind a proxy', async () => {
  const lines: unknown[] = [];
  const logger = { debug: () => undefined, info: () => undefined, error: () => undefined };
  const warn = ({ err }: { err: Error }): void => void lines.push(err.message);
  const open = await serving({ connections: { perAddress: 1 } }, { logger: { ...logger, warn } as never });
  await open();
  for (const beyond of [await open(), await open()]) await until(() => beyond.isOver);
  expect(lines).toEqual([
    expect.stringMatching(/from 127\.0\.0\.1 was refused: .*1 already \(connections\.perAddress\)/s),
  ]);
  expect(String(lines[0])).toContain('name it in `trustProxy` (TRUST_PROXY)');
});

it('counts connections until they are over, however they end', async () => {
  const open = await serving({ connections: { all: 20, perAddress: 20 } });
  for (let round = 0; round < 25; round += 1) {
    const opened = await Promise.all(Array.from({ length: 20 }, () => open()));
    for (const [index, { socket }] of opened.entries()) {
      if (index % 4 === 1) socket.write('POST /mcp HTTP/1.1\r\nHost: local');
      if (index % 4 === 2) socket.write(ASK);
      if (index % 2 === 0) socket.end();
      else socket.resetAndDestroy();
    }
    await until(() => opened.every(({ isOver }) => isOver));
    // The server may hear of the last ends later than their clients.
    await until(async () => {
      const next = await open();
      next.socket.write(ASK);
      await until(() => next.text !== '' || next.isOver);
      next.socket.destroy();
      return next.text.startsWith('HTTP/1.1 200');
    });
  }
});

it('answers a hundred refused connections at a time, each for a second, and closes the others at once', async () => {
  const clock = new ManualClock();
  const open = await serving({ connections: { all: 1, perAddress: 1 } }, { clock });
  const own = await open();
  // These read the answer, and do not close their side.
  const flood = await Promise.all(Array.from({ length: 110 }, () => open({ allowHalfOpen: true })));
  await until(() => flood.every(({ socket }) => socket.readableEnded || socket.destroyed));
  expect(flood.filter(({ text }) => text.startsWith('HTTP/1.1 503'))).toHaveLength(100);
  expect(flood.filter(({ text }) => text === '')).toHaveLength(10);
  await clock.advance(1000);
  await until(async () => {
    const beyond = await open();
    await until(() => beyond.isOver);
    return beyond.text.startsWith('HTTP/1.1 503');
  });
  await answers(own);
});

it('has limits that follow from each other, and refuses what is no limit', () => {
  expect(connectionLimitsOf()).toEqual({ all: 20_000, perAddress: 2000 });
  expect(connectionLimitsOf({ all: 30 })).toEqual({ all: 30, perAddress: 3 });
  expect(connectionLimitsOf({ all: Infinity })).toEqual({ all: Infinity, perAddress: 2000 });
  expect(connectionLimitsOf({ all: 30, perAddress: Infinity })).toEqual({ all: 30, perAddress: Infinity });
  const codeOf = (connections: object): unknown => {
    try {
      new HttpTransport({ connections });
      return undefined;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  expect(codeOf({ all: 0 })).toBe('SIGIL_LIMIT');
  expect(codeOf({ total: 3 })).toBe('SIGIL_LIMIT_UNKNOWN');
  expect(codeOf({ all: 3, perAddress: 4 })).toBe('SIGIL_LIMIT_SHARE');
});
