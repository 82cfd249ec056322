/** The transport over streams that are not the process's: it serves, it closes, and it touches nothing else. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { createServer } from '../src/create-server';
import { McpContext } from '../src/context/mcp-context';
import { Feature } from '../src/decorators/injectable';
import { Tool } from '../src/decorators/tool';
import type { ServerLimits } from '../src/limits/server-limits';
import type { Server } from '../src/server/server';
import { StdioTransport, type StdioOptions } from '../src/transports/stdio/stdio-transport';
import { ManualClock } from '@sigil-mcp/testing';
import { turn } from '../../../test/support/turn';
import { until } from '../../../test/support/until';

@Feature()
class Pace {
  static stopped = 0;
  static readonly reasons: string[] = [];
  /** Lets the call of `slow` answer. */
  static goOn = (): void => undefined;

  @Tool('Waits until it is cancelled')
  async waits(context: McpContext): Promise<string> {
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
    Pace.reasons.push((context.signal.reason as Error).message);
    return 'over';
  }

  @Tool('Answers when it is told to')
  async slow(): Promise<string> {
    await new Promise<void>((resolve) => (Pace.goOn = resolve));
    return 'done';
  }

  @Tool('Never answers')
  hang(): Promise<string> {
    return new Promise(() => undefined);
  }

  @Tool('Asks')
  async ask(context: McpContext): Promise<string> {
    return context.roots().then(
      () => 'answered',
      (error: Error) => error.message,
    );
  }

  onStop(): void {
    Pace.stopped += 1;
  }
}

const initialize = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo: { name: 'streams', version: '1' } },
};
const line = (id: number, message: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`;
const call = (id: number, name: string): string => line(id, { method: 'tools/call', params: { name } });

interface Opened {
  readonly server: Server;
  readonly clock: ManualClock;
  readonly input: PassThrough;
  readonly output: PassThrough;
  readonly received: () => { id?: number }[];
}

async function open(options: StdioOptions = {}, shutdownDeadline = 200, limits: ServerLimits = {}): Promise<Opened> {
  const clock = new ManualClock();
  const life = { logger: false, shutdownDeadline, clock, limits } as const;
  const server = createServer({ name: 'pace', version: '1', features: [Pace], ...life });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  await server.listen(new StdioTransport({ input, output, ...options }));
  input.write(line(1, initialize));
  const received = (): { id?: number }[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((each) => JSON.parse(each) as { id?: number });
  return { server, clock, input, output, received };
}

const processEvents = ['SIGTERM', 'SIGINT', 'unhandledRejection', 'uncaughtException', 'exit'] as const;
const listeners = (): number[] => [
  ...processEvents.map((event) => process.listenerCount(event)),
  process.stdout.listenerCount('error'),
];

describe('a stdio transport over streams of its own', () => {
  it('touches neither the process nor its stdout', async () => {
    const before = { listeners: listeners(), write: process.stdout.write };
    const { server, input, received } = await open();
    input.write(call(2, 'slow'));
    await turn();
    Pace.goOn();
    await until(() => received().length === 2);
    expect(received().map(({ id }) => id)).toEqual([1, 2]);
    expect({ listeners: listeners(), write: process.stdout.write }).toEqual(before);
    await server.close();
  });

  it('lets running calls finish when the server closes, and removes its listeners', async () => {
    const { server, input, output, received } = await open();
    input.write(call(2, 'slow'));
    await turn();
    const closed = server.close();
    await turn();
    expect(received().map(({ id }) => id)).toEqual([1]);
    Pace.goOn();
    await closed;
    input.write(line(3, { method: 'ping' }));
    await turn();
    expect(received().map(({ id }) => id)).toEqual([1, 2]);
    for (const event of ['data', 'close', 'error'])
      expect({ event, count: input.listenerCount(event) }).toEqual({ event, count: 0 });
    expect([output.listenerCount('error'), output.listenerCount('drain'), output.writableEnded]).toEqual([0, 0, false]);
  });

  it.each([
    [
      'all calls of the server',
      { calls: 4 },
      4,
      'answers 4 requests of a client at the same time (limits.callsPerClient)',
    ],
    ['no more than its share, if that is set', { calls: 4, callsPerClient: 2 }, 2, 'answers 2 requests of a client'],
    ['all memory of the server', { held: 200_000 }, 15, '0.2 MiB of memory (limits.heldPerClient)'],
  ])('gives its only client %s', async (_, limits, most, refusal) => {
    const { server, clock, input, received } = await open({}, 200, limits);
    for (let id = 2; id < most + 4; id += 1) input.write(call(id, 'hang'));
    await until(() => received().length > 1);
    await turn();
    const [, first, ...others] = received();
    expect(first).toMatchObject({ id: most + 2, error: { message: expect.stringContaining(refusal) as string } });
    expect(others).toHaveLength(1);
    const closed = server.close();
    await clock.advance(200);
    await closed;
  });

  it('ends itself at the end of its input, not the server', async () => {
    const before = Pace.stopped;
    const { input, output, received, server } = await open();
    input.end(call(2, 'slow'));
    await once(input, 'end');
    await turn();
    expect(received().map(({ id }) => id)).toEqual([1]);
    Pace.goOn();
    await until(() => received().length === 2);
    await turn();
    expect(output.listenerCount('error')).toBe(0);
    expect(Pace.stopped).toBe(before);
    await server.close();
    expect(Pace.stopped).toBe(before + 1);
  });

  it.each([
    ['the server closes', (open: { server: Server }) => open.server.close(), 'The server is shutting down.'],
    ['its input ends', (open: { input: PassThrough }) => open.input.end(), 'The client closed the connection.'],
  ])('tells a call that asks why no answer can come when %s', async (_when, end, why) => {
    const { server, input, received } = await open();
    input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
    input.write(call(2, 'ask'));
    await turn();
    await end({ server, input });
    await turn();
    expect(JSON.stringify(received().find((message) => message.id === 2))).toContain(
      `${why} No answer can come any more.`,
    );
    await server.close();
  });

  it('gives up on calls that do not finish within the deadline', async () => {
    const { server, clock, input } = await open();
    input.write(call(2, 'hang'));
    await turn();
    let isClosed = false;
    const closed = server.close().then(() => (isClosed = true));
    await clock.advance(199);
    expect(isClosed).toBe(false);
    await clock.advance(1);
    await closed;
  });

  it('survives an output that breaks', async () => {
    const { server, input, output, received } = await open();
    Pace.reasons.length = 0;
    input.write(call(2, 'waits'));
    await turn();
    output.destroy(Object.assign(new Error('broken'), { code: 'EPIPE' }));
    await new Promise((resolve) => output.once('close', resolve));
    await server.close();
    // The call was cancelled because its client is gone, and nothing was written after that.
    expect(Pace.reasons).toEqual(['The client closed the connection.']);
    expect(received().map(({ id }) => id)).toEqual([1]);
  });

  it('gives each subscription its result at the end of the input', async () => {
    const { server, input, received } = await open();
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    for (const id of [2, 3])
      input.write(
        line(id, { method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true }, _meta } }),
      );
    await turn();
    input.end();
    await once(input, 'end');
    await server.close();
    expect(received().filter(({ id }) => id === 2 || id === 3)).toMatchObject([{ result: {} }, { result: {} }]);
  });

  it('refuses messages longer than maxLineBytes and serves the next', async () => {
    const { server, input, received } = await open({ maxLineBytes: 200 });
    await turn();
    input.write(line(2, { method: 'ping', params: { padding: 'x'.repeat(200) } }));
    input.write(line(3, { method: 'ping' }));
    await turn();
    expect(received().slice(1)).toMatchObject([
      { error: { code: -32600, message: expect.stringContaining('200 bytes') as string } },
      { id: 3 },
    ]);
    await server.close();
  });

  it('reads no further while its output is full, and goes on when it has drained', async () => {
    const server = createServer({ name: 'pace', version: '1', features: [Pace], logger: false });
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 64 })];
    await server.listen(new StdioTransport({ input, output }));
    const params = { padding: 'x'.repeat(20_000) };
    for (let id = 0; id < 100; id += 1) {
      input.write(line(id, { method: 'ping', params }));
      if (id % 10 === 9) await turn();
    }
    expect(input.isPaused()).toBe(true);
    expect(input.readableLength).toBeGreaterThan(0);
    let text = '';
    output.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await until(() => text.split('\n').length === 101);
    expect(input.isPaused()).toBe(false);
    await server.close();
  });

  it('sees the end of its input while its output is full, and answers what it held when there is room in time', async () => {
    const server = createServer({ name: 'pace', version: '1', features: [Pace], logger: false });
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 64 })];
    await server.listen(new StdioTransport({ input, output }));
    for (let id = 0; id < 100; id += 1) {
      input.write(line(id, { method: 'ping' }));
      if (id % 10 === 9) await turn();
    }
    input.end('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    await once(input, 'end');
    let text = '';
    output.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
    await until(() => text.split('\n').length === 102);
    expect(text).toContain('"last"');
    await server.close();
  });

  it('does not share its input with another, until it is closed', async () => {
    const { server, input, output } = await open();
    const other = createServer({ name: 'other', version: '1', features: [Pace], logger: false });
    const second = new StdioTransport({ input, output });
    await expect(other.listen(second)).rejects.toMatchObject({ code: 'SIGIL_STDIN_TAKEN' });
    await server.close();
    await other.listen(second);
    await other.close();
  });

  it('is opened once', async () => {
    const server = createServer({ name: 'pace', version: '1', features: [Pace], logger: false });
    const transport = new StdioTransport({ input: new PassThrough(), output: new PassThrough() });
    await server.listen(transport);
    await expect(server.listen(transport)).rejects.toThrow('Create another one');
    await server.close();
  });
});

describe('the owner of a process whose calls do not end', () => {
  const exits: unknown[] = [];
  let heard: [event: string, listeners: unknown[]][];
  beforeEach(() => {
    heard = ['SIGTERM', 'SIGINT', 'SIGHUP', 'unhandledRejection', 'uncaughtException'].map((event) => [
      event,
      process.rawListeners(event),
    ]);
    exits.length = Pace.reasons.length = Pace.stopped = 0;
    jest.spyOn(process, 'exit').mockImplementation(((code: unknown) => void exits.push(code)) as never);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    // A process that exits keeps its listeners; this one lives on.
    for (const [event, before] of heard)
      for (const listener of process.rawListeners(event))
        if (!before.includes(listener)) process.off(event, listener as () => void);
  });

  /** A process with a call that listens to its signal, and one that never ends. */
  async function busy(shutdownDeadline: number): Promise<Opened> {
    const opened = await open({ exit: true }, shutdownDeadline);
    opened.input.write(call(2, 'waits') + call(3, 'hang'));
    await turn();
    return opened;
  }

  /** Ends the input, and waits until the transport knows. */
  async function endInput({ input }: Opened): Promise<void> {
    input.end();
    await once(input, 'end');
    await turn();
  }

  it.each([
    ['gives them a grace of a second when the input ends, whatever the deadline', 60_000, 1000],
    ['gives them no more time than the deadline, where that is shorter', 200, 200],
  ])('%s', async (_title, shutdownDeadline, grace) => {
    const opened = await busy(shutdownDeadline);
    await endInput(opened);
    expect(Pace.reasons).toHaveLength(1);
    await opened.clock.advance(grace - 1);
    expect(exits).toEqual([]);
    await opened.clock.advance(1);
    await expectEnd();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('gives them no time when %s follows the end of the input', async (signal) => {
    const opened = await busy(60_000);
    await endInput(opened);
    await opened.clock.advance(500);
    expect(exits).toEqual([]);
    process.emit(signal, signal);
    await opened.clock.advance(0);
    await expectEnd();
  });

  it('shortens the time that SIGTERM left when the input ends', async () => {
    const opened = await busy(60_000);
    process.emit('SIGTERM', 'SIGTERM');
    await opened.clock.advance(5000);
    expect([exits, Pace.reasons]).toEqual([[], []]);
    await endInput(opened);
    await opened.clock.advance(999);
    expect(exits).toEqual([]);
    await opened.clock.advance(1);
    await expectEnd();
  });

  /** Sees that the process has ended with 0, after the hooks, and that the call which listens was told why. */
  async function expectEnd(): Promise<void> {
    await until(() => exits.length > 0);
    expect([exits, Pace.stopped, Pace.reasons]).toEqual([[0], 1, ['The client closed the connection.']]);
  }
});
