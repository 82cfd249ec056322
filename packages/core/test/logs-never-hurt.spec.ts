/** Whatever is logged, and whoever logs and listens: the call goes on, and the line says what it can. */
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import pino from 'pino';
import { createServer } from '../src/create-server';
import { Caller } from '../src/context/caller';
import type { McpContext } from '../src/context/mcp-context';
import type { Logger } from '../src/logging/logger';
import { JsonLinesLogger } from '../src/logging/lines-logger';
import { ToolFailure } from '../src/errors/failures';
import { MemoryTransport, type MemoryPipe } from '../src/transports/memory';

type Line = Record<string, unknown>;

const hostile = (): Record<string, unknown> => {
  const cycle: Record<string, unknown> = { big: 5n };
  cycle['self'] = cycle;
  const failing = { get boom(): never { throw new Error('no'); }, fine: 1 }; // prettier-ignore
  const error = new AggregateError([new TypeError('first'), cycle], 'several', { cause: new Error('why') });
  Object.defineProperty(error, 'detail', { enumerable: true, get: () => { throw new Error('never'); } }); // prettier-ignore
  const proxy = new Proxy({}, { getPrototypeOf: () => { throw new Error('trap'); } }); // prettier-ignore
  const late = { toJSON: () => { throw Object.create(null) as Error; } }; // prettier-ignore
  const map = new Map([['a', 1n]]);
  return { cycle, failing, error, proxy, late, map, set: new Set([1]), run: () => 1, nan: NaN, when: new Date(NaN) };
};

/** A logger of each kind, and the lines that it wrote. */
const loggers: Record<string, () => { logger: Logger; lines: Line[] }> = {
  'the default logger': () => {
    const lines: Line[] = [];
    return { lines, logger: new JsonLinesLogger('debug', (line) => lines.push(JSON.parse(line) as Line)) };
  },
  pino: () => {
    const lines: Line[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done): void {
        lines.push(JSON.parse(String(chunk)) as Line);
        done();
      },
    });
    return { lines, logger: pino({ level: 'debug', messageKey: 'message' }, sink) };
  },
  'a logger that throws': () => {
    const fail = (): never => {
      throw new Error('the disk is full');
    };
    return { lines: [], logger: { debug: fail, info: fail, warn: fail, error: fail } };
  },
};

const SESSION = 'a session id, which is a credential';
const DIGEST = createHash('sha256').update(SESSION).digest('base64url').slice(0, 12);

interface Spoken {
  result?: { isError?: boolean; content: { text: string }[] };
  params?: { data: Line | string };
}

async function serve(logger: Logger): Promise<{ call: (name: string) => Promise<Spoken[]>; close(): Promise<void> }> {
  const server = createServer({ name: 'logs', version: '1', logger, toolTimeout: 300 });
  const add = (name: string, handler: (input: never, context: McpContext) => unknown): void =>
    server.registry.add({ kind: 'tool', name, description: name, handler });
  add('logs', (_input, { log }) => log.error('said', hostile()));
  add('logsError', (_input, { log }) => log.error('said', new Error('itself') as never));
  add('logsOddly', (_input, { log }) => {
    log.info(7n as never, 'text' as never);
    log.info('list', [1n] as never);
    log.info('none', null as never);
  });
  add('throws', () => {
    throw hostile()['error'];
  });
  add('throwsAnother', () => {
    throw Object.assign(new Error('broken', { cause: new Error('why') }), hostile());
  });
  add('late', () => new Promise(() => undefined));
  add('says', () => {
    throw new ToolFailure('in words');
  });
  const transport = new MemoryTransport();
  await server.listen(transport);
  const call = async (name: string): Promise<Spoken[]> => {
    const spoken: Spoken[] = [];
    await new Promise<void>((resolve) => {
      const pipe: MemoryPipe = transport.connect(
        (text) => {
          const message = JSON.parse(text) as Spoken & { id?: unknown };
          spoken.push(message);
          if (message.id === 'call') resolve();
        },
        { headers: { 'mcp-session-id': SESSION }, caller: new Caller({ id: 'ada' }) },
      );
      const meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/logLevel': 'debug',
      };
      const params = { name, _meta: meta };
      pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params }));
    });
    return spoken;
  };
  return { call, close: () => server.close() };
}

describe.each(Object.entries(loggers))('with %s', (title, open) => {
  it.each(['logs', 'logsError', 'logsOddly', 'says'])(
    'a handler that %s is answered as if it had not',
    async (name) => {
      const { call, close } = await serve(open().logger);
      const answer = (await call(name)).at(-1);
      expect(answer?.result?.isError).toBe(name === 'says');
      await close();
    },
  );

  it('a client that listens gets the same as the log', async () => {
    const { logger, lines } = open();
    const { call, close } = await serve(logger);
    const [told] = await call('logs');
    expect(told?.params?.data).toMatchObject({
      cycle: { big: '5', self: '[Circular]' },
      failing: { boom: '[Throws: no]', fine: 1 },
      error: {
        message: 'several',
        stack: expect.stringContaining('logs-never-hurt') as string,
        cause: { message: 'why' },
        errors: [{ message: 'first' }, { big: '5' }],
      },
      proxy: '[Throws: trap]',
      late: '[Throws: object]',
      map: [['a', '1']],
      set: [1],
    });
    if (lines.length > 0) expect(lines).toMatchObject([told?.params?.data]);
    await close();
  });

  it('an error in the place of data is one', async () => {
    const { call, close } = await serve(open().logger);
    const [told] = await call('logsError');
    expect(told?.params?.data).toMatchObject({ message: 'said', err: { message: 'itself' } });
    await close();
  });

  it.each(['throws', 'throwsAnother'])(
    'a handler that %s is masked, and its line has the error in full',
    async (name) => {
      const { logger, lines } = open();
      const { call, close } = await serve(logger);
      const answer = (await call(name)).at(-1);
      expect(answer?.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('(id ') as string }],
      });
      await close();
      if (title === 'a logger that throws') return;
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({
        method: 'tools/call',
        entry: name,
        id: 'call',
        session: DIGEST,
        caller: 'ada',
        err: { stack: expect.stringContaining('logs-never-hurt') as string },
      });
      expect(JSON.stringify(lines)).toContain('why');
      expect(JSON.stringify(lines)).not.toContain(SESSION);
    },
  );

  it('a call that takes too long is a line that can be found', async () => {
    const { logger, lines } = open();
    const { call, close } = await serve(logger);
    expect((await call('late')).at(-1)?.result?.isError).toBe(true);
    await close();
    if (title === 'a logger that throws') return;
    expect(lines[0]).toMatchObject({
      method: 'tools/call',
      entry: 'late',
      id: 'call',
      session: DIGEST,
      caller: 'ada',
    });
    expect(lines[0]?.['message']).toBe('The tool late timed out after 300 ms.');
  });
});

it('the default logger survives fields whose own members throw, and what has no end', () => {
  const lines: string[] = [];
  const logger = new JsonLinesLogger('debug', (line) => void lines.push(line));
  logger.info(hostile()['failing'] as object, 'failing');
  const wide = Array.from({ length: 400 }, (): unknown[] => []);
  for (const each of wide) each.push(...wide.slice(0, 300));
  logger.info({ wide }, 'wide');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ message: 'failing', boom: '[Throws: no]', fine: 1 });
  expect(lines[1]?.length).toBeLessThan(5_000_000);
});
