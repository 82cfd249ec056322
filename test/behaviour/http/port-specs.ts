/**
 * What every adapter of the HTTP port does with a request and a response. The test is the endpoint: it sees the request that the adapter
 * hands over, and says how it is answered.
 */
import { once } from 'node:events';
import { request as send, Agent, type IncomingMessage, type RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { EventSource, EventWriter, HttpRequest, HttpResponse } from '@sigil-mcp/http';
import { ServedEndpoint } from '../../../packages/http/src/served-endpoint';
import { until } from '../../support/until';
import { itOnNode, serve, type OpenServer } from './http-server';
import { dial } from './raw-request';

type Answer = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;
const EVENTS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };
const MEBIBYTE = 1024 * 1024;
const LONG = 'ä€🎈x'.repeat(MEBIBYTE / 8);

let open: OpenServer;
let answer: Answer;
/** The requests that the adapter has handed over. */
let seen: HttpRequest[];

/** What came back. */
interface Reply {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A request on its way. */
type Sent = ReturnType<typeof send> & { readonly head: Promise<IncomingMessage> };

/** Sends a request with a body, or one whose body the test writes. */
function begin(options: RequestOptions = {}, body?: string | Buffer): Sent {
  const sent = send(open.url, { method: 'POST', agent: false, ...options });
  const head = once(sent, 'response').then(([message]) => (message as IncomingMessage).setEncoding('utf8'));
  // Some requests are never answered.
  head.catch(() => undefined);
  sent.on('error', () => undefined);
  if (body !== undefined) sent.end(body);
  return Object.assign(sent, { head });
}

async function ask(options: RequestOptions = {}, body: string | Buffer = ''): Promise<Reply> {
  const message = await begin(options, body).head;
  let text = '';
  for await (const piece of message) text += piece as string;
  return { status: message.statusCode ?? 0, headers: message.headers, text };
}

const ok = (body?: HttpResponse['body']): HttpResponse => ({ status: 200, headers: { 'x-a': 'b' }, body });

/** Reads the whole body. */
async function bodyOf({ body }: HttpRequest): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body ?? []) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** An event stream whose writer the test has. */
class Events implements EventSource {
  readonly opened: EventWriter[] = [];
  discarded = 0;

  constructor(readonly whole: string | undefined = undefined) {}

  open(writer: EventWriter): void {
    this.opened.push(writer);
  }

  discard(): void {
    this.discarded += 1;
  }

  get writer(): EventWriter {
    return this.opened[0]!;
  }
}

/** A stream that a client has begun to read. */
async function stream(): Promise<{ events: Events; sent: Sent; message: IncomingMessage }> {
  const events = new Events();
  answer = () => ({ status: 200, headers: EVENTS, body: events });
  const sent = begin({}, '{}');
  await until(() => events.opened.length === 1);
  events.writer.flush();
  return { events, sent, message: await sent.head };
}

/** Writes until the client reads too slowly. */
function fill(writer: EventWriter): number {
  let bytes = 0;
  for (let hasRoom = true; hasRoom; bytes += 16_384) hasRoom = writer.write('x'.repeat(16_384));
  return bytes;
}

/** Counts how often a request was said to be closed. */
function closings(request: HttpRequest): { count: number; stop: () => void } {
  const counted = { count: 0, stop: () => undefined as void };
  counted.stop = request.onClosed(() => (counted.count += 1));
  return counted;
}

/** Declares what the adapter in use must do. */
export function describePort(adapter: string): void {
  describe(`the port of HTTP, with ${adapter}`, () => {
    beforeAll(async () => {
      open = await serve({}, { allowedOrigins: ['https://chat.example'], trustProxy: ['127.0.0.1'] });
    });
    afterAll(() => open.close());
    beforeEach(() => {
      seen = [];
      answer = () => ok('{}');
      jest.spyOn(ServedEndpoint.prototype, 'answer').mockImplementation(async (request) => {
        seen.push(request);
        return answer(request);
      });
    });
    afterEach(() => jest.restoreAllMocks());

    describe('a request', describeRequests);
    describe('its end', describeEnds);
    describe('a response', describeResponses);
    describe('an event stream', describeStreams);
  });
}

function describeRequests(): void {
  it.each(['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'HEAD'])('has its method, %s', async (method) => {
    expect((await ask({ method })).status).toBe(200);
    expect(seen.map((request) => request.method)).toEqual([method]);
  });

  it('has its target with the query as it was sent', async () => {
    await ask({ path: '/mcp?x=1&y=%C3%A4+z&x=2' });
    expect(seen[0]?.target).toBe('/mcp?x=1&y=%C3%A4+z&x=2');
  });

  it('has its headers by names in lower case, several of one name joined', async () => {
    await ask({
      headers: { 'X-Trial': ['one', 'two'], Accept: 'a/b', 'MCP-Name': 'tool name', Host: 'api.example:81' },
    });
    expect(seen[0]?.headers).toMatchObject({ 'x-trial': 'one, two', accept: 'a/b', 'mcp-name': 'tool name' });
    expect(seen[0]?.headers['host']).toBe('api.example:81');
    expect(seen[0]?.headers['x-nothing']).toBeUndefined();
  });

  it('has names and values in turn', async () => {
    await ask({ headers: { 'X-Trial': 'one' } });
    const raw = (seen[0]?.rawHeaders ?? []).map((each) => each.toLowerCase());
    expect(raw[raw.indexOf('x-trial') + 1]).toBe('one');
    expect(raw.length % 2).toBe(0);
  });

  itOnNode()('has a header twice that came twice, and of some the first', async () => {
    await ask({ headers: { 'Content-Type': ['a/b', 'c/d'], Authorization: ['one', 'two'] } });
    expect(seen[0]?.rawHeaders.filter((each) => each.toLowerCase() === 'content-type')).toHaveLength(2);
    expect(seen[0]?.headers).toMatchObject({ 'content-type': 'a/b', authorization: 'one' });
  });

  it('has the address of its client, or what a trusted proxy says', async () => {
    answer = ({ address }) => ok(address);
    expect((await ask()).text).toBe('127.0.0.1');
    expect((await ask({ headers: { 'X-Forwarded-For': '192.0.2.7' } })).text).toBe('192.0.2.7');
  });

  itOnNode()('shares its connection with the requests before and after it', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    await ask({ agent });
    await ask({ agent });
    await ask();
    agent.destroy();
    const [one, two, three] = seen.map(({ connection }) => connection);
    expect([one === two, one === three, seen[0]?.httpVersion]).toEqual([true, false, '1.1']);
  });

  it('is another one with another connection', async () => {
    await Promise.all([ask(), ask()]);
    expect(seen[0]?.connection).not.toBe(seen[1]?.connection);
  });

  it('has no body where none was sent', async () => {
    await ask({ method: 'GET' });
    expect(seen[0]?.body).toBeUndefined();
  });

  it.each([
    ['with its length', { 'Content-Length': String(Buffer.byteLength(LONG)) }],
    ['in chunks', { 'Transfer-Encoding': 'chunked' }],
  ])('has a long body whole, sent %s', async (_how, headers) => {
    let received = '';
    answer = async (request) => {
      received = await bodyOf(request);
      return ok('{}');
    };
    const sent = begin({ headers });
    const bytes = Buffer.from(LONG);
    // Cut in the middle of characters.
    for (let at = 0; at < bytes.length; at += 99_991) sent.write(bytes.subarray(at, at + 99_991));
    sent.end();
    expect((await sent.head).statusCode).toBe(200);
    expect(received === LONG).toBe(true);
  });

  it('has bytes that are no text as they are', async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    let received: Uint8Array[] = [];
    answer = async ({ body }) => {
      received = [];
      for await (const piece of body ?? []) received.push(piece);
      return ok();
    };
    await ask({}, bytes);
    expect(Buffer.concat(received)).toEqual(bytes);
  });

  it('has an empty body of a length', async () => {
    answer = async (request) => ok(`<${await bodyOf(request)}>`);
    expect((await ask({ headers: { 'Content-Length': '0' } })).text).toBe('<>');
  });

  it('has the first piece of a body before the second was sent', async () => {
    const pieces: string[] = [];
    answer = async ({ body }) => {
      for await (const piece of body ?? []) pieces.push(Buffer.from(piece).toString());
      return ok(pieces.join('|'));
    };
    const sent = begin();
    sent.write('first');
    await until(() => pieces.length === 1);
    sent.end('second');
    expect((await sent.head).statusCode).toBe(200);
    expect(pieces).toEqual(['first', 'second']);
  });

  it('ends the reading of a body that breaks off, with an error for its client', async () => {
    let failure: unknown;
    answer = async (request) => {
      await bodyOf(request).catch((error: unknown) => (failure = error));
      return ok();
    };
    const sent = begin({ headers: { 'Content-Length': '500' } });
    sent.write('{"half');
    await until(() => seen.length === 1);
    sent.destroy();
    await until(() => failure !== undefined);
    expect(failure).toMatchObject({ message: 'The request could not be read.' });
  });

  it.each([
    ['is not read', async () => undefined],
    [
      'is read in part',
      async ({ body }: HttpRequest) => {
        for await (const piece of body ?? []) return piece;
        return undefined;
      },
    ],
  ])('is answered also where its body %s', async (_what, read: (request: HttpRequest) => Promise<unknown>) => {
    answer = async (request) => {
      await read(request);
      return { ...ok('{"refused":true}'), status: 413 };
    };
    expect(await ask({}, Buffer.alloc(3 * MEBIBYTE, 'x'))).toMatchObject({ status: 413, text: '{"refused":true}' });
    expect((await ask()).status).toBe(413);
  });
}

function describeEnds(): void {
  it('is told once, when the response was sent', async () => {
    let closed = { count: 0 };
    answer = (request) => {
      closed = closings(request);
      return ok('{}');
    };
    await ask();
    await until(() => closed.count > 0);
    await ask();
    expect(closed.count).toBe(1);
  });

  it('is told to each that listens, also to one that listens twice, and not to one that has stopped', async () => {
    const listener = jest.fn();
    const stopped = jest.fn();
    answer = (request) => {
      request.onClosed(listener);
      request.onClosed(listener);
      request.onClosed(stopped)();
      return ok('{}');
    };
    await ask();
    await until(() => listener.mock.calls.length > 0);
    expect([listener.mock.calls.length, stopped.mock.calls.length]).toEqual([2, 0]);
  });

  it('is told at once when it was before', async () => {
    let closed = { count: 0 };
    answer = (request) => {
      closed = closings(request);
      return ok('{}');
    };
    await ask();
    await until(() => closed.count === 1);
    expect(closings(seen[0]!).count).toBe(1);
  });

  it('is told when the client goes before there is an answer', async () => {
    let goOn = (): void => undefined;
    let closed = { count: 0 };
    answer = async (request) => {
      closed = closings(request);
      await new Promise<void>((resolve) => (goOn = resolve));
      return ok('{}');
    };
    const sent = begin({}, '{}');
    await until(() => seen.length === 1);
    expect(closed.count).toBe(0);
    sent.destroy();
    await until(() => closed.count === 1);
    goOn();
    answer = () => ok('{}');
    expect((await ask()).status).toBe(200);
    expect(closed.count).toBe(1);
  });

  it('comes without an answer when the request is aborted', async () => {
    const events = new Events();
    let closed = { count: 0 };
    answer = (request) => {
      closed = closings(request);
      return { status: 200, headers: EVENTS, body: events };
    };
    const sent = begin({}, '{}');
    await until(() => events.opened.length === 1);
    events.writer.write('data: 1\n\n');
    const message = await sent.head;
    seen[0]?.abort();
    await expect(once(message, 'end', { signal: closeOf(message) })).rejects.toThrow();
    await until(() => closed.count === 1);
    expect([events.writer.isOpen, events.writer.wasDelivered]).toEqual([false, false]);
  });
}

/** A signal that fires when a response breaks off. */
function closeOf(message: IncomingMessage): AbortSignal {
  const ending = new AbortController();
  message.on('error', () => ending.abort()).on('close', () => ending.abort());
  return ending.signal;
}

function describeResponses(): void {
  it.each([200, 202, 400, 401, 403, 404, 405, 413, 429, 500, 503])('has its status, %d', async (status) => {
    answer = () => ({ status, headers: {}, body: '{"a":"ä"}' });
    expect(await ask()).toMatchObject({ status, text: '{"a":"ä"}', headers: { 'content-length': '10' } });
  });

  it('has its headers', async () => {
    answer = () => ({ status: 200, headers: { 'www-authenticate': 'Bearer a="b"', 'retry-after': '3' }, body: 'a' });
    const { headers } = await ask();
    expect(headers).toMatchObject({ 'www-authenticate': 'Bearer a="b"', 'retry-after': '3' });
  });

  it('has no body and no length with 204, and a length of 0 with no body else', async () => {
    answer = () => ({ status: 204, headers: {} });
    expect(await ask()).toMatchObject({ status: 204, text: '' });
    answer = () => ok();
    expect(await ask()).toMatchObject({ status: 200, text: '', headers: { 'content-length': '0', 'x-a': 'b' } });
  });

  it('has no body for HEAD', async () => {
    answer = () => ok('{"a":1}');
    expect(await ask({ method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect((await ask()).text).toBe('{"a":1}');
  });

  it.each<[string, HttpResponse['body']]>([
    ['text', LONG],
    ['bytes', Buffer.from(LONG)],
  ])('has a long body of %s whole, and says when it was handed over', async (_kind, body) => {
    const sent = jest.fn();
    answer = () => ({ ...ok(body), sent });
    const { text, headers } = await ask();
    expect(text === LONG).toBe(true);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(LONG)));
    expect(sent.mock.calls).toEqual([[expect.any(Number)]]);
  });

  it('says how much of a body waits for a client that does not read', async () => {
    const sent = jest.fn();
    answer = () => ({ ...ok(Buffer.alloc(32 * MEBIBYTE)), sent });
    const asked = begin({}, '{}');
    await until(() => sent.mock.calls.length === 1);
    expect(sent.mock.calls[0]?.[0]).toBeGreaterThan(16 * MEBIBYTE);
    const closed = closings(seen[0]!);
    expect(closed.count).toBe(0);
    asked.destroy();
    await until(() => closed.count === 1);
  });

  it('waits for nothing where the client has read a short body', async () => {
    const sent = jest.fn();
    answer = () => ({ ...ok('{}'), sent });
    await ask();
    expect(sent.mock.calls).toHaveLength(1);
    expect(sent.mock.calls[0]?.[0]).toBeLessThan(1000);
  });

  it('lets the pages of allowed origins in, and no others', async () => {
    const origin = 'https://chat.example';
    const allowed = await ask({ headers: { origin } });
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': origin,
      vary: expect.stringMatching(/origin/i) as string,
    });
    const other = await ask({ headers: { origin: 'https://evil.example' } });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
    // A cache must not give what other pages and programs get to a page that is let in.
    const without = await ask({});
    for (const { headers } of [other, without]) expect(headers['vary']).toMatch(/origin/i);
    const asks = { origin, 'access-control-request-method': 'POST' };
    expect((await ask({ method: 'OPTIONS', headers: asks })).headers).toMatchObject({
      'access-control-allow-origin': origin,
    });
    // A preflight is the adapter's to answer.
    expect(seen).toHaveLength(3);
  });

  itOnNode()('comes in the order of the requests of one connection', async () => {
    const goOn: (() => void)[] = [];
    answer = async ({ target }) => {
      if (target.endsWith('1')) await new Promise<void>((resolve) => goOn.push(resolve));
      return ok(target);
    };
    const socket: Socket = await dial(open.port);
    let text = '';
    socket.on('data', (data: Buffer) => (text += data.toString()));
    for (const each of [1, 2]) socket.write(`GET /mcp?${each} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await until(() => seen.length === 2);
    goOn.forEach((each) => each());
    await until(() => text.includes('/mcp?2'));
    expect(text.match(/\/mcp\?\d/g)).toEqual(['/mcp?1', '/mcp?2']);
    socket.destroy();
  });

  itOnNode()('is another one, with 500, where it cannot be sent', async () => {
    const failed = jest.fn(() => '{"failed":true}');
    answer = () => ({ status: 200, headers: { 'x-bad': 'one\ntwo' }, body: '{}', failed });
    expect(await ask()).toMatchObject({ status: 500, text: '{"failed":true}' });
    expect(failed).toHaveBeenCalledTimes(1);
  });
}

function describeStreams(): void {
  it('is sent with its head where it is whole, opened once and delivered', async () => {
    const events = new Events('data: {"a":1}\n\ndata: {"b":"ä"}\n\n');
    const sent = jest.fn();
    answer = () => ({ status: 200, headers: EVENTS, body: events, sent });
    const { text, headers } = await ask();
    expect([text, headers['content-type']]).toEqual([events.whole, 'text/event-stream']);
    await until(() => events.writer.wasDelivered);
    expect([events.opened.length, events.discarded, sent.mock.calls.length]).toEqual([1, 0, 1]);
  });

  it('sends each event when it is written, and its end', async () => {
    const { events, message } = await stream();
    const { writer } = events;
    const closed = closings(seen[0]!);
    let text = '';
    message.on('data', (piece: string) => (text += piece));
    for (const event of ['data: 1\n\n', 'data: ä\n\n', 'data: 3\n\n']) {
      expect(writer.write(event)).toBe(true);
      await until(() => text.endsWith(event));
    }
    expect([writer.isOpen, writer.wasDelivered, closed.count]).toEqual([true, false, 0]);
    writer.end();
    await once(message, 'end');
    await until(() => closed.count === 1 && writer.wasDelivered);
    expect(text.replace(/^:\n\n/, '')).toBe('data: 1\n\ndata: ä\n\ndata: 3\n\n');
  });

  it('sends its head before there is an event', async () => {
    const { events, message } = await stream();
    expect([message.statusCode, message.headers['content-type']]).toEqual([200, 'text/event-stream']);
    expect(message.headers['content-length']).toBeUndefined();
    events.writer.end();
    await message.resume().toArray();
  });

  it('ends where nothing was written', async () => {
    const { events, message } = await stream();
    events.writer.end();
    const [text = ''] = (await message.toArray()) as string[];
    expect(['', ':\n\n']).toContain(text);
  });

  it('says that its client reads too slowly, how much waits, and when there is room again', async () => {
    const { events, message } = await stream();
    const { writer } = events;
    let drained = 0;
    writer.onDrain(() => (drained += 1));
    const bytes = fill(writer);
    expect(writer.unread).toBeGreaterThan(0);
    expect(writer.isOpen).toBe(true);
    let read = 0;
    message.on('data', (piece: string) => (read += piece.replace(/^:\n\n/, '').length));
    await until(() => drained > 0 && read === bytes);
    expect(writer.write('data: more\n\n')).toBe(true);
    writer.end();
    await once(message, 'end');
    expect(read).toBe(bytes + 'data: more\n\n'.length);
    await until(() => writer.wasDelivered);
  });

  it('is not drained while its client reads nothing', async () => {
    const { events, sent } = await stream();
    const { writer } = events;
    let drained = 0;
    // More than the system takes without a reader.
    while (writer.unread < 8 * MEBIBYTE) writer.write('x'.repeat(65_536));
    writer.onDrain(() => (drained += 1));
    const held = writer.unread;
    answer = () => ok('{}');
    for (let times = 0; times < 5; times += 1) await ask();
    expect([drained, writer.unread > held / 2]).toEqual([0, true]);
    sent.destroy();
    await until(() => !writer.isOpen);
  });

  it('is over when its client goes, and takes what is written then without an error', async () => {
    const { events, sent } = await stream();
    const { writer } = events;
    const closed = closings(seen[0]!);
    sent.destroy();
    await until(() => closed.count === 1);
    expect([writer.isOpen, writer.wasDelivered]).toEqual([false, false]);
    writer.write('data: late\n\n');
    writer.flush();
    writer.end();
    writer.abort();
    expect([writer.isOpen, closed.count]).toEqual([false, 1]);
  });

  it('breaks off where it is aborted, without its rest', async () => {
    const { events, message } = await stream();
    const closed = closings(seen[0]!);
    events.writer.write('data: 1\n\n');
    await once(message, 'data');
    events.writer.abort();
    await expect(once(message, 'end', { signal: closeOf(message) })).rejects.toThrow();
    await until(() => closed.count === 1);
    expect([events.writer.isOpen, events.writer.wasDelivered]).toEqual([false, false]);
  });

  it('takes nothing after its end', async () => {
    const { events, message } = await stream();
    events.writer.write('data: last\n\n');
    events.writer.end();
    events.writer.write('data: late\n\n');
    const text = ((await message.toArray()) as string[]).join('');
    expect(text.replace(/^:\n\n/, '')).toBe('data: last\n\n');
  });

  it('has the headers of CORS, too', async () => {
    answer = () => ({ status: 200, headers: EVENTS, body: new Events('data: 1\n\n') });
    const { headers, text } = await ask({ headers: { origin: 'https://chat.example' } });
    expect([headers['access-control-allow-origin'], text]).toEqual(['https://chat.example', 'data: 1\n\n']);
  });

  it('is one of many at once, each with its own events', async () => {
    const opened: [string, Events][] = [];
    answer = ({ target }) => {
      const events = new Events();
      opened.push([target, events]);
      return { status: 200, headers: EVENTS, body: events };
    };
    const replies = Array.from({ length: 10 }, (_, index) => ask({ path: `/mcp?${index}` }));
    await until(() => opened.length === 10 && opened.every(([, events]) => events.opened.length === 1));
    for (const [target, { writer }] of opened.reverse()) {
      writer.write(`data: ${target}\n\n`);
      writer.end();
    }
    const texts = (await Promise.all(replies)).map(({ text }) => text);
    expect(texts).toEqual(Array.from({ length: 10 }, (_, index) => `data: /mcp?${index}\n\n`));
  });
}
