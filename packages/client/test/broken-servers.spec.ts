/** Servers that break the protocol, the stream or themselves: a clear error, nothing that hangs, nothing that is left. */
import { connect, type Client, type ClientOptions, type Traffic } from '@sigil-mcp/client';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ManualClock } from '@sigil-mcp/testing';
import { isRunning } from '../../../test/programs/e2e/built-app';
import { until } from '../../../test/support/until';
import { ssePipe } from '../src/pipes/sse-pipe';

const LAST_HANDSHAKE = '2025-11-25';
const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function keep(client: Promise<Client>): Promise<Client> {
  clients.push(await client);
  return client;
}

/** A program that answers the first request, and does with others what a test says. */
const program = (source: string, options: ClientOptions = {}): Promise<Client> =>
  keep(
    connect(
      { command: process.execPath, args: ['-e', `${SERVES} const take = (id, method) => {${source}};`] },
      options,
    ),
  );

const SERVES = `
  const write = (text) => process.stdout.write(text);
  const say = (message) => write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const discovered = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} };
  console.error(process.pid);
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    if (method === 'server/discover') say({ id, result: discovered });
    else if (id !== undefined) take(id, method);
  });`;

/** As `SERVES`, for the last revision with a handshake; `count` receives the answers to its questions. */
const ANSWERED = `
  const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const opened = { protocolVersion: '${LAST_HANDSHAKE}', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, error } = JSON.parse(line);
    if (method === 'initialize') say({ id, result: opened });
    else if (method === undefined) globalThis.count(error);
    else if (id !== undefined) take(id, method);
  });`;

describe('a program that', () => {
  it('writes other lines to stdout is reported, and its answers count', async () => {
    const faults: Error[] = [];
    const client = await program(`write('hello\\n'); say({ id, result: { tools: [] } }); write('{"a":1}\\n\\n')`, {
      onFault: (error) => faults.push(error),
    });
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(faults).toContainEqual(
      expect.objectContaining({
        code: 'SIGIL_CLIENT_STRAY_LINE',
        message: expect.stringContaining('"hello"') as string,
      }),
    );
    expect(faults).toContainEqual(expect.objectContaining({ code: 'SIGIL_CLIENT_BAD_MESSAGE' }));
  });

  it('writes something else in place of an answer runs into the time limit, whose cause it is', async () => {
    const clock = new ManualClock();
    let reported: () => void;
    const isReported = new Promise<void>((resolve) => (reported = resolve));
    const client = await program(`write('Segmentation fault\\n')`, { clock, onFault: () => reported() });
    const listed = client.listTools();
    await isReported;
    await Promise.all([
      expect(listed).rejects.toMatchObject({
        code: 'SIGIL_CLIENT_TIMEOUT',
        cause: expect.objectContaining({ code: 'SIGIL_CLIENT_STRAY_LINE' }) as Error,
      }),
      clock.advance(60_000),
    ]);
  });

  it('has written something else before is not said to time out because of it', async () => {
    const clock = new ManualClock();
    const faults: Error[] = [];
    const client = await program(`if (id === 2) { write('hello\\n'); say({ id, result: { tools: [] } }); }`, {
      clock,
      onFault: (error) => faults.push(error),
    });
    await client.listTools();
    expect(faults).toHaveLength(1);
    const late = client.listTools().catch((error: unknown) => error);
    await clock.advance(60_000);
    expect(await late).toMatchObject({ code: 'SIGIL_CLIENT_TIMEOUT' });
    expect(await late).not.toHaveProperty('cause');
  });

  it('writes a line without end is stopped', async () => {
    const client = await program(
      `const piece = 'x'.repeat(1e6); const more = () => process.stdout.write(piece, more); more()`,
    );
    await expect(client.listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_LONG_MESSAGE' });
  });

  it('asks more questions at once than a client answers is refused the rest, and gets the other answers', async () => {
    const asks = `if (method) { for (let n = 0; n < 200; n++) say({ id: 'q' + n, method: 'roots/list' });
      let left = 200; globalThis.count = (error) => { if (error) globalThis.refused = (globalThis.refused ?? 0) + 1;
        if (--left === 0) say({ id, result: { tools: [{ name: String(globalThis.refused), inputSchema: {} }] } }); }; }`;
    // Nothing is answered before everything is asked: how much of it arrives at once is up to the machine.
    let asked = 0;
    let answerAll = (): void => undefined;
    const allAsked = new Promise<readonly []>((resolve) => (answerAll = () => resolve([])));
    const client = await keep(
      connect(
        { command: process.execPath, args: ['-e', ANSWERED + `const take = (id, method) => {${asks}};`] },
        {
          revision: LAST_HANDSHAKE,
          onRoots: () => allAsked,
          onTraffic: ({ text }) => {
            if (text.includes('"roots/list"') && ++asked === 200) answerAll();
          },
        },
      ),
    );
    expect(await client.listTools()).toMatchObject({ tools: [{ name: '100' }] });
  });

  it('answers with a wrong id, or twice, is reported, and hangs nobody', async () => {
    const faults: Error[] = [];
    const client = await program(
      `say({ id: 99, result: {} }); say({ id: '' + id, result: {} }); for (const _ of [1, 2]) say({ id, result: { tools: [] } })`,
      { onFault: (error) => faults.push(error) },
    );
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('answered request 99, which is not pending'),
      expect.stringContaining('answered request "2"'),
    ]);
  });

  it('answers with a result that does not fit the protocol is named, with the member', async () => {
    const client = await program(`say({ id, result: { tools: [{ title: 'x' }] } })`);
    await expect(client.listTools()).rejects.toMatchObject({
      code: 'SIGIL_CLIENT_RESULT',
      message: expect.stringContaining(
        'result of tools/list that does not fit the protocol: result.tools[0].name must be a string',
      ),
    });
  });

  it('sends a response that is none fails the request with its text', async () => {
    const client = await program(`say({ id, result: 7 })`);
    await expect(client.listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_BAD_MESSAGE' });
  });

  it('dies fails what is pending and what follows, with its last words, and ends the client', async () => {
    const ends: (Error | undefined)[] = [];
    const client = await program(`console.error('last words'); process.exit(3)`, { onClose: (why) => ends.push(why) });
    await expect(client.listTools()).rejects.toThrow(/ended with exit code 3[^]*last words/);
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'SIGIL_CLIENT_PROGRAM_ENDED' });
    await client.close();
    expect(ends).toEqual([expect.objectContaining({ code: 'SIGIL_CLIENT_PROGRAM_ENDED' })]);
  });

  it('never answers runs into the time limit, and is ended with the client', async () => {
    const client = await program('');
    await expect(client.listTools({}, { timeout: 30 })).rejects.toMatchObject({ code: 'SIGIL_CLIENT_TIMEOUT' });
    const pid = Number(client.stderr.trim());
    expect(isRunning(pid)).toBe(true);
    await client.close();
    expect(isRunning(pid)).toBe(false);
    await expect(client.listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CLOSED' });
  });

  it('ignores or dislikes the first request of the newest revision is met with a handshake', async () => {
    const older = (dislikes: string): string => `
      const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') say({ id, result: { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '1' } } });
        else if (method === 'server/discover') { ${dislikes} }
      });`;
    for (const dislikes of [
      '',
      `say({ id, error: { code: -32602, message: 'No.' } })`,
      'process.exit(1)',
      'say({ id, result: {} })',
    ]) {
      const target = { command: process.execPath, args: ['-e', older(dislikes)] };
      // A program that ignores the first request is pinged after a while, and ignores that, too: no time has to pass for it.
      const clock = new ManualClock();
      const onTraffic = ({ from, text }: Traffic): void => {
        if (dislikes === '' && from === 'client' && /"(server\/discover|ping)"/.test(text))
          setImmediate(() => void clock.advance(10_000));
      };
      const client = await keep(connect(target, { clock, onTraffic }));
      expect([client.revision, client.server.info?.name]).toEqual(['2024-11-05', 's']);
    }
  });

  it('ignores the first request is met with a handshake within the time limit of the client', async () => {
    const source = `
      const result = { protocolVersion: '2024-11-05', capabilities: {}, serverInfo: { name: 's', version: '1' } };
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        if (method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      });`;
    const clock = new ManualClock();
    const onTraffic = ({ from, text }: Traffic): void => {
      if (from === 'client' && /"(server\/discover|ping)"/.test(text)) setImmediate(() => void clock.advance(300));
      if (text.includes('"ping"'))
        setImmediate(() => void until(() => clock.advance(50).then(() => clock.elapsed() > 850)));
    };
    const client = await keep(
      connect({ command: process.execPath, args: ['-e', source] }, { clock, timeout: 900, onTraffic }),
    );
    expect(client.revision).toBe('2024-11-05');
    expect(clock.elapsed()).toBeLessThan(1000);
  });

  it('cannot be started, or is none, is named', async () => {
    await expect(connect({ command: './none' })).rejects.toMatchObject({ code: 'SIGIL_CLIENT_NOT_STARTED' });
    await expect(connect({ url: 'ftp://a' })).rejects.toMatchObject({ code: 'SIGIL_CLIENT_TARGET' });
    await expect(connect({ command: 'x' }, { revision: '2020-01-01' })).rejects.toMatchObject({
      code: 'SIGIL_CLIENT_REVISION',
    });
  });

  it('leaves a program behind that keeps its output open ends the client nevertheless', async () => {
    const leaves = (then: string): Promise<Client> =>
      program(
        `const left = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'inherit' });
         left.unref();
         process.stderr.write('left ' + left.pid + '\\n', () => { ${then} });`,
      );
    const endLeft = ({ stderr }: Client): void => {
      const pid = Number(/left (\d+)/.exec(stderr)?.[1]);
      expect(isRunning(pid)).toBe(true);
      process.kill(pid, 'SIGKILL');
    };
    const died = await leaves('process.exit(3)');
    await expect(died.listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_PROGRAM_ENDED' });
    endLeft(died);
    const lives = await leaves(`say({ id, result: { tools: [] } })`);
    await lives.listTools();
    await lives.close();
    endLeft(lives);
  });

  it('asks without end is stopped after fifty rounds', async () => {
    const asks = `say({ id, result: { resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } } })`;
    const client = await program(asks, { onRoots: () => [] });
    await expect(client.callTool('x')).rejects.toMatchObject({ code: 'SIGIL_CLIENT_ROUNDS' });
  });

  it('lists the same page for ever is stopped', async () => {
    const client = await program(`say({ id, result: { tools: [], nextCursor: 'c' } })`);
    await expect(client.allTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_PAGES' });
  });

  it('does not see the secrets of this process', async () => {
    process.env['CLIENT_TEST_SECRET'] = 'secret';
    const client = await program(
      `say({ id, result: { tools: [{ name: String(process.env.CLIENT_TEST_SECRET), inputSchema: {} }] } })`,
    );
    expect(await client.listTools()).toMatchObject({ tools: [{ name: 'undefined' }] });
    delete process.env['CLIENT_TEST_SECRET'];
  });
});

interface Message {
  readonly id?: number;
  readonly method?: string;
}

describe('an endpoint that', () => {
  let server: Server;
  let url: string;
  let answer: (message: Message, request: IncomingMessage, response: ServerResponse) => void;
  const seen: { method: string; message: Message; headers: IncomingMessage['headers'] }[] = [];
  beforeEach(async () => {
    seen.length = 0;
    server = createServer((request, response) => void receive(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const message = (body === '' ? {} : JSON.parse(body)) as Message;
    const { method = '', headers, url: path = '' } = request;
    seen.push({ method, message, headers });
    const { id } = message;
    if (path.endsWith('?older')) answer(message, request, response);
    else if (message.method === 'initialize') {
      const result = { protocolVersion: LAST_HANDSHAKE, capabilities: {}, serverInfo: { name: 's', version: '1' } };
      reply(response, { id, result }, { 'mcp-session-id': 's1' });
    } else if (message.method === 'notifications/initialized') response.writeHead(202).end();
    else if (method === 'DELETE') response.writeHead(204).end();
    else answer(message, request, response);
  }

  function reply(response: ServerResponse, message: object, headers: Record<string, string> = {}): void {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  const without = (response: ServerResponse): void => void response.writeHead(405).end();
  const open = (options: ClientOptions = {}): Promise<Client> =>
    keep(connect({ url }, { revision: LAST_HANDSHAKE, ...options }));

  const DISCOVERED = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} };
  const INTERNAL = { code: -32603, message: 'Not now.' };
  const methods = (): (string | undefined)[] => seen.map(({ message: { method } }) => method);

  /** Refuses the first requests for what the server is. */
  function refuse(times: number, status: number, headers: Record<string, string>, error?: object): void {
    answer = ({ id, method }, _request, response) => {
      if (method !== 'server/discover') return without(response);
      if (methods().filter((each) => each === method).length > times)
        return reply(response, { id, result: DISCOVERED });
      response.writeHead(status, { 'content-type': error ? 'application/json' : 'text/plain', ...headers });
      response.end(error ? JSON.stringify({ jsonrpc: '2.0', id, error }) : 'Busy.');
    };
  }

  it.each([
    ['408', 408, undefined],
    ['429', 429, undefined],
    ['503', 503, undefined],
    ['429 and an internal error', 429, INTERNAL],
    ['503 and an internal error', 503, INTERNAL],
    ['an internal error', 200, INTERNAL],
  ])(
    'is busy when it is met, with %s, is asked again, and is not taken for an old one',
    async (_what, status, error) => {
      refuse(2, status, { 'retry-after': '0' }, error);
      expect((await keep(connect({ url }))).revision).toBe('2026-07-28');
      expect(methods()).toEqual(['server/discover', 'server/discover', 'server/discover']);
    },
  );

  it.each([
    ['seconds', { 'retry-after': '30' }],
    ['a date', { 'retry-after': 'Sun, 29 Nov 2026 20:00:30 GMT', date: 'Sun, 29 Nov 2026 20:00:00 GMT' }],
  ])('says with %s when it wants to be asked again is not asked before', async (_what, headers) => {
    const clock = new ManualClock();
    refuse(1, 503, headers);
    const connecting = keep(connect({ url }, { clock }));
    await until(() => clock.pending > 0 && methods().length === 1);
    await clock.advance(29_000);
    expect(methods()).toHaveLength(1);
    await until(() => clock.advance(1000).then(() => methods().length === 2));
    expect((await connecting).revision).toBe('2026-07-28');
  });

  it('stays busy is no old one, and its error says when to come back', async () => {
    refuse(99, 503, { 'retry-after': '0' });
    await expect(connect({ url })).rejects.toMatchObject({ status: 503, retryAfter: 0 });
    expect(methods()).toEqual(Array.from({ length: 4 }, () => 'server/discover'));
    // Nobody waits for longer than the time limit.
    refuse(99, 429, { 'retry-after': '3600' }, INTERNAL);
    await expect(connect({ url })).rejects.toMatchObject({ code: -32603, status: 429, retryAfter: 3600 });
    expect(methods()).toHaveLength(5);
  });

  it('is busy is asked as often as the client says, with the function that sends its requests', async () => {
    refuse(99, 503, { 'retry-after': '0' });
    const sent: unknown[] = [];
    const send: typeof fetch = (input, init) => {
      sent.push([input, init?.method]);
      return fetch(input, init);
    };
    await expect(connect({ url }, { attempts: 1, fetch: send })).rejects.toMatchObject({ status: 503 });
    expect(methods()).toEqual(['server/discover']);
    expect(sent).toEqual([[url, 'POST']]);
    await expect(connect({ url }, { attempts: 0 })).rejects.toThrow('a whole number of at least 1');
  });

  it.each([
    [400, true],
    [404, true],
    [405, true],
    [406, true],
    [415, true],
    [403, false],
    [418, false],
  ])('refuses POST with %i is asked for the stream of HTTP+SSE: %s', async (status, isAsked) => {
    answer = (_message, _request, response) => void response.writeHead(status).end();
    const opening = connect({ url: `${url}?older` }, { revision: LAST_HANDSHAKE });
    await expect(opening).rejects.toMatchObject({ status });
    expect(seen.some(({ method }) => method === 'GET')).toBe(isAsked);
  });

  it('has a fault whenever it is asked what it is may be old', async () => {
    refuse(99, 200, { 'retry-after': '0' }, INTERNAL);
    expect((await keep(connect({ url }))).revision).toBe(LAST_HANDSHAKE);
  });

  it('refuses a call for a time says for how long, in its header or in its error', async () => {
    const client = await open();
    const data = { retryAfter: 9 };
    for (const [headers, error, retryAfter] of [
      [{ 'retry-after': '7' }, INTERNAL, 7],
      [{}, { ...INTERNAL, data }, 9],
      [{}, INTERNAL, undefined],
      [{ 'retry-after': 'soon' }, INTERNAL, undefined],
    ] as const) {
      answer = ({ id }, _request, response) => {
        response.writeHead(503, { 'content-type': 'application/json', ...headers });
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      };
      await expect(client.listTools()).rejects.toMatchObject({ code: -32603, status: 503, retryAfter });
    }
  });

  describe('has subscriptions of one resource, which', () => {
    const filter = { resourceSubscriptions: ['a://b'] };
    const held: { readonly id: number | undefined; readonly response: ServerResponse }[] = [];
    beforeEach(() => {
      held.length = 0;
      answer = ({ id, method }, _request, response) => {
        if (method === 'resources/subscribe') held.push({ id, response });
        else if (method?.startsWith('notifications/')) response.writeHead(202).end();
        else without(response);
      };
    });
    const confirm = ({ id, response }: (typeof held)[number]): void => reply(response, { id, result: {} });

    it('do not fail when the first subscriber gives up, and share one request after that', async () => {
      const client = await open();
      const stop = new AbortController();
      const first = client.subscribe(filter, () => undefined, { signal: stop.signal });
      const others = [1, 2].map(() => client.subscribe(filter, () => undefined));
      await until(() => held.length === 1);
      stop.abort();
      await expect(first).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
      await until(() => held.length === 2);
      confirm(held[1]!);
      const [one, other] = await Promise.all(others);
      expect([one?.filter, other?.filter, held.length]).toEqual([filter, filter, 2]);
    });

    it('are not waited for by one who gives up, and stay open for the first', async () => {
      const client = await open();
      const stop = new AbortController();
      const first = client.subscribe(filter, () => undefined);
      const second = client.subscribe(filter, () => undefined, { signal: stop.signal });
      await until(() => held.length === 1);
      stop.abort();
      await expect(second).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
      confirm(held[0]!);
      expect((await first).filter).toEqual(filter);
      // The third has what the first opened.
      expect((await client.subscribe(filter, () => undefined)).filter).toEqual(filter);
      expect(held).toHaveLength(1);
    });

    it('are waited for no longer than each subscriber wants, whatever the first one wants', async () => {
      const clock = new ManualClock();
      const client = await open({ clock });
      const first = client.subscribe(filter, () => undefined);
      await until(() => held.length === 1);
      const second = client.subscribe(filter, () => undefined, { timeout: 300 });
      await Promise.all([
        expect(second).rejects.toMatchObject({ code: 'SIGIL_CLIENT_TIMEOUT', message: expect.stringContaining('300') }),
        clock.advance(300),
      ]);
      confirm(held[0]!);
      expect((await first).filter).toEqual(filter);
      expect(held).toHaveLength(1);
    });
  });

  it('has ended the session says so, once for all, and gets no DELETE for it', async () => {
    const ends: (Error | undefined)[] = [];
    answer = (_message, { method }, response) => void response.writeHead(method === 'GET' ? 405 : 404).end();
    const client = await open({ onClose: (reason) => ends.push(reason) });
    await expect(client.listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_SESSION_LOST' });
    await expect(client.listTools()).rejects.toThrow('has ended the session of this client. Connect again.');
    await client.close();
    expect(ends).toEqual([expect.objectContaining({ code: 'SIGIL_CLIENT_SESSION_LOST' })]);
    expect(seen.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('keeps a session gets DELETE when the client closes', async () => {
    answer = (_message, _request, response) => without(response);
    await (await open()).close();
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 's1' } });
  });

  it('cuts its stream is asked for the rest, from the event that arrived last', async () => {
    answer = ({ id, method }, request, response) => {
      if (request.method === 'GET' && request.headers['last-event-id'] === 'e1') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 2, result: { tools: [] } })}\n\n`);
      } else if (method === 'tools/list') {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('retry: 20\nid: e1\ndata:\n\n', () => request.socket.destroy());
        expect(id).toBe(2);
      } else without(response);
    };
    expect(await (await open()).listTools()).toMatchObject({ tools: [] });
  });

  it.each([
    ['refuses the rest of a stream that was cut is not asked for it again', 403, 1],
    ['has a fault is asked for the rest of a stream that was cut again, five times in all', 500, 5],
  ])('%s', async (_what, status, times) => {
    answer = ({ method }, request, response) => {
      if (request.headers['last-event-id'] === 'e1') return void response.writeHead(status).end();
      if (method !== 'tools/list') return without(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 10\nid: e1\ndata:\n\n', () => request.socket.destroy());
    };
    await expect((await open()).listTools()).rejects.toMatchObject({ status });
    expect(seen.filter(({ headers }) => headers['last-event-id'] === 'e1')).toHaveLength(times);
  });

  it('cuts a stream that cannot be resumed fails the request with the reason', async () => {
    answer = ({ method }, request, response) => {
      if (method !== 'tools/list') return without(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(': nothing\n\n', () => request.socket.destroy());
    };
    await expect((await open()).listTools()).rejects.toMatchObject({
      code: 'SIGIL_CLIENT_UNANSWERED',
      cause: expect.anything(),
    });
  });

  it('goes away fails the request', async () => {
    answer = ({ method }, request, response) =>
      method === 'tools/list' ? request.socket.destroy() : without(response);
    await expect((await open()).listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_UNREACHABLE' });
  });

  it('demands a token gets the next one, once', async () => {
    const challenges: unknown[] = [];
    const demand = 'Basic realm="x", Bearer error="invalid_token", scope="a b", resource_metadata="https://r/m"';
    answer = ({ id, method }, { headers }, response) => {
      if (method !== 'tools/list') return without(response);
      if (headers.authorization === 'Bearer second') return reply(response, { id, result: { tools: [] } });
      response.writeHead(401, { 'www-authenticate': demand }).end();
    };
    let token = 'first';
    const auth = {
      token: () => token,
      onChallenge: (challenge: unknown) => {
        challenges.push(challenge);
        token = token === 'first' ? 'second' : 'third';
      },
    };
    const client = await open({ auth });
    expect(await client.listTools()).toMatchObject({ tools: [] });
    expect(challenges).toMatchObject([
      { status: 401, scheme: 'Bearer', error: 'invalid_token', scope: 'a b', resourceMetadata: 'https://r/m' },
    ]);
    expect(seen.every(({ headers }) => headers.authorization?.startsWith('Bearer ') === true)).toBe(true);
    token = 'fourth';
    await expect(client.listTools()).rejects.toMatchObject({
      name: 'SigilError',
      code: 'SIGIL_CLIENT_UNAUTHORIZED',
      status: 401,
      challenge: { scope: 'a b' },
    });
  });

  it('refuses a token that does not change is not asked again', async () => {
    answer = (_message, _request, response) => void response.writeHead(401).end();
    const client = await open({ auth: { token: 'fixed' } });
    seen.length = 0;
    await expect(client.listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_UNAUTHORIZED' });
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('forbids a call without a challenge demands no token', async () => {
    const challenges: unknown[] = [];
    answer = (_message, _request, response) => void response.writeHead(403).end();
    const client = await open({
      auth: { token: 'fixed', onChallenge: (challenge) => void challenges.push(challenge) },
    });
    await expect(client.listTools()).rejects.toMatchObject({ status: 403, challenge: undefined });
    expect(challenges).toEqual([]);
  });

  it('names an endpoint for messages on another server is not sent anything', async () => {
    answer = (_message, { method }, response) => {
      if (method !== 'GET') return without(response);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: https://evil.example.com/messages\n\n');
    };
    await expect(connect(ssePipe(url), { revision: LAST_HANDSHAKE })).rejects.toMatchObject({
      code: 'SIGIL_CLIENT_ENDPOINT',
    });
  });

  it('never takes a notification does not hold up later requests for long', async () => {
    const clock = new ManualClock();
    let hasCancelled: () => void = () => undefined;
    const isCancelled = new Promise<void>((resolve) => (hasCancelled = resolve));
    answer = ({ id, method }, request, response) => {
      if (request.method === 'GET') return without(response);
      if (method === 'notifications/cancelled') return hasCancelled();
      if (method === 'tools/list') reply(response, { id, result: { tools: [] } });
    };
    const client = await open({ clock });
    const stop = new AbortController();
    const call = client.callTool('x', {}, { signal: stop.signal });
    await Promise.resolve();
    stop.abort();
    await expect(call).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
    await isCancelled;
    const listed = client.listTools();
    await clock.advance(5000);
    expect(await listed).toMatchObject({ tools: [] });
  });

  it.each<[string, (response: ServerResponse) => unknown]>([
    ['answer', () => undefined],
    ['end its body', (response) => response.writeHead(200, { 'content-type': 'application/json' }).write(' ')],
  ])('does not %s for the end of the handshake does not keep connect() longer than its limits', async (_what, hang) => {
    const greeted = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        const { id, method } = (body === '' ? {} : JSON.parse(body)) as Message;
        const opened = { protocolVersion: LAST_HANDSHAKE, capabilities: {}, serverInfo: { name: 's', version: '1' } };
        if (method === 'initialize') reply(response, { id, result: opened });
        else hang(response);
      });
    });
    await new Promise<void>((resolve) => greeted.listen(0, '127.0.0.1', resolve));
    const target = { url: `http://127.0.0.1:${(greeted.address() as AddressInfo).port}/mcp` };
    await expect(connect(target, { revision: LAST_HANDSHAKE, timeout: 100 })).rejects.toMatchObject({
      code: 'SIGIL_CLIENT_TIMEOUT',
    });
    const signal = AbortSignal.timeout(50);
    await expect(connect(target, { revision: LAST_HANDSHAKE, signal })).rejects.toMatchObject({
      code: 'SIGIL_CLIENT_CANCELLED',
    });
    greeted.closeAllConnections();
    greeted.close();
  });

  it('redirects within itself is followed, and to another server is not: it would receive what is meant for the first', async () => {
    const foreign: string[] = [];
    const other = createServer((request, response) => {
      foreign.push(String(request.headers['x-api-key']));
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    answer = ({ id, method }, request, response) => {
      if (method !== 'tools/list') return without(response);
      if (request.url === '/mcp') response.writeHead(307, { location: '/mcp/' }).end();
      else reply(response, { id, result: { tools: [] } });
    };
    const client = await keep(connect({ url, headers: { 'X-Api-Key': 'secret' } }, { revision: LAST_HANDSHAKE }));
    expect(await client.listTools()).toMatchObject({ tools: [] });
    const away = `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp`;
    answer = (_message, _request, response) => void response.writeHead(307, { location: away }).end();
    await expect(client.listTools()).rejects.toMatchObject({ code: 'SIGIL_CLIENT_REDIRECT' });
    expect(foreign).toEqual([]);
    other.close();
  });

  it('never ends its answer to DELETE does not keep close() for long, nor does a token that never comes', async () => {
    const clock = new ManualClock();
    let deleted: () => void = () => undefined;
    answer = (_message, _request, response) => without(response);
    server.removeAllListeners('request');
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      if (request.method !== 'DELETE') return void receive(request, response);
      response.writeHead(500).write('x', () => deleted());
    });
    const client = await open({ clock });
    const isDeleted = new Promise<void>((resolve) => (deleted = resolve));
    const closed = client.close();
    await isDeleted;
    await clock.advance(2000);
    await closed;
    let token: string | Promise<string> = 'first';
    const waiting = await open({ clock, auth: { token: () => token } });
    token = new Promise(() => undefined);
    const ended = waiting.close();
    await clock.advance(2000);
    await ended;
  });

  it('does not see the listener for the end fail: the session is ended anyway', async () => {
    answer = (_message, _request, response) => without(response);
    const faults: Error[] = [];
    const onClose = (): never => {
      throw new Error('of the listener');
    };
    const client = await open({ onClose, onFault: (error) => faults.push(error) });
    await client.close();
    expect(seen.at(-1)).toMatchObject({ method: 'DELETE' });
    expect(faults).toEqual([expect.objectContaining({ message: 'of the listener' })]);
  });

  it('answers nothing at all does not keep connect() longer than its time limit', async () => {
    answer = () => undefined;
    await expect(connect({ url }, { timeout: 50 })).rejects.toMatchObject({ code: 'SIGIL_CLIENT_TIMEOUT' });
    const given = new AbortController();
    const connecting = connect({ url }, { signal: given.signal });
    given.abort();
    await expect(connecting).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
  });
});
