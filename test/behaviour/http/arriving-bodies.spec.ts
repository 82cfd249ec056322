/** Bodies on their way: a client is charged for what it has sent, not for what it may send, and gets everything back once. */
import { createHash } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { PassThrough, Readable, Transform } from 'node:stream';
import { Feature, Tool, createServer, type ServerOptions } from '@sigil-mcp/core';
import type { TransportHost } from '@sigil-mcp/core/adapter';
import { mcpPlugin, type HttpTransportOptions } from '@sigil-mcp/fastify';
import { ManualClock } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import fc from 'fast-check';
import { as, believing, request, serve, type HttpAnswer, type OpenServer } from './http-server';
import { dial, readAnswer, until } from './raw-request';
import { runs } from '../../support/matrix';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

class Note {
  @IsString()
  text!: string;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

@Feature()
class Desk {
  @Tool('Says what a text is like')
  digest({ text }: Note): string {
    return digestOf(text);
  }
}

let open: OpenServer;
let host: TransportHost | undefined;
const sockets: Socket[] = [];
const start = async (definition: Partial<ServerOptions> = {}, options: HttpTransportOptions = {}): Promise<void> => {
  open = await serve({ features: [Desk], shutdownDeadline: 50, ...definition }, options);
  // What the server holds is shown to its transports alone.
  await open.server.listen({
    open: async (given) => void (host = given),
    close: () => Promise.resolve(),
  });
};
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await open.close();
});

const held = (): number => host?.kernel.context.account.all ?? NaN;
const allGivenBack = (): Promise<void> => until(() => held() === 0);

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': NEWEST,
  'mcp-method': 'tools/call',
  'mcp-name': 'digest',
};
const callWith = (text: string): string =>
  JSON.stringify(request(1, 'tools/call', { name: 'digest', arguments: { text }, _meta: META }));
/** A call whose body has so many characters. */
const bodyOf = (length: number): string => callWith('x'.repeat(length - callWith('').length));
const call = (length: number, headers: Record<string, string> = {}): Promise<HttpAnswer> =>
  open.post(bodyOf(length), { ...HEADERS, ...headers });
const headOf = (framing: string, headers: Record<string, string> = {}): string => {
  const lines = Object.entries({ Host: 'localhost', ...HEADERS, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `POST /mcp HTTP/1.1\r\n${framing}\r\n${lines.join('')}\r\n`;
};
const CHUNKED = 'Transfer-Encoding: chunked';
const announced = (length: number): string => `Content-Length: ${length}`;
const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** What comes back on a socket, as it grows. */
interface Heard {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}
/** Begins a request on a socket of its own. */
async function begin(bytes: string): Promise<Heard> {
  const socket = await dial(open.port);
  sockets.push(socket);
  const heard: Heard = { socket, text: '', isClosed: false };
  socket.on('data', (data) => (heard.text += data.toString('latin1')));
  socket.on('close', () => (heard.isClosed = true));
  socket.write(bytes);
  return heard;
}
const answerTo = async (heard: Heard) => {
  await until(() => heard.text.includes('\r\n\r\n'));
  return readAnswer(heard.text);
};

describe('other requests of an address are served', () => {
  it.each([
    ['that say no length', CHUNKED],
    ['that announce 4 MB', announced(4 * MEBIBYTE)],
  ])('beside fifty bodies %s and do not come', async (_what, framing) => {
    await start();
    const slow = await Promise.all(
      Array.from({ length: 50 }, () =>
        begin(headOf(framing) + (framing === CHUNKED ? chunk('{"jsonrpc"') : '{"jsonrpc"')),
      ),
    );
    for (const length of [500, 100 * KIBIBYTE, 2 * MEBIBYTE]) expect((await call(length)).status).toBe(200);
    expect(slow.map(({ text }) => text)).toEqual(slow.map(() => ''));
  });

  it('of other users too, when one of them fills the room that is theirs', async () => {
    await start({ limits: { heldPerClient: 4 * MEBIBYTE } }, { auth: believing });
    const slow = await begin(headOf(CHUNKED, as('ada')) + chunk('x'.repeat(2 * MEBIBYTE)));
    await until(() => held() >= 2 * MEBIBYTE);
    expect((await call(2.5 * MEBIBYTE, as('ada'))).status).toBe(503);
    expect((await call(MEBIBYTE, as('eve'))).status).toBe(200);
    expect(slow.text).toBe('');
  });
});

describe('a body is counted as it comes', () => {
  it('from 16 KiB on, and never for much more than twice of it', async () => {
    await start();
    const body = await begin(headOf(CHUNKED) + chunk('x'.repeat(16 * KIBIBYTE)));
    const whole = await call(500);
    expect([whole.status, held()]).toEqual([200, 0]);
    let sent = 16 * KIBIBYTE;
    for (const more of [1, 100 * KIBIBYTE, 500 * KIBIBYTE, MEBIBYTE]) {
      body.socket.write(chunk('x'.repeat(more)));
      sent += more;
      await until(() => held() >= sent);
      expect(held()).toBeLessThanOrEqual(2 * sent);
    }
    body.socket.destroy();
    await allGivenBack();
  });

  it.each([
    ['without a length', CHUNKED],
    ['with one', announced(4 * MEBIBYTE)],
  ])('and refused with 503 when there is no more room, and its connection goes on (%s)', async (_what, framing) => {
    await start({ limits: { heldPerClient: 6 * MEBIBYTE } });
    const refused = await begin(headOf(framing));
    const write = (length: number): void => {
      const piece = 'x'.repeat(length);
      refused.socket.write(framing === CHUNKED ? chunk(piece) : piece);
    };
    write(900 * KIBIBYTE);
    await until(() => held() >= 900 * KIBIBYTE);
    const other = await begin(headOf(CHUNKED) + chunk('x'.repeat(2.2 * MEBIBYTE)));
    await until(() => held() >= 3.1 * MEBIBYTE);
    write(4 * MEBIBYTE - 900 * KIBIBYTE);
    const { status, headers, message } = await answerTo(refused);
    expect([status, headers.get('retry-after'), message]).toMatchObject([
      503,
      '1',
      { error: { code: -32603, message: expect.stringContaining('limits.heldPerClient') as string } },
    ]);
    other.socket.destroy();
    await allGivenBack();
    refused.text = '';
    const text = bodyOf(500);
    refused.socket.write((framing === CHUNKED ? '0\r\n\r\n' : '') + headOf(announced(text.length)) + text);
    expect((await answerTo(refused)).status).toBe(200);
  });

  it('but one that could never have room is refused before it is read', async () => {
    await start({ limits: { heldPerClient: MEBIBYTE } });
    const heard = await begin(headOf(announced(2 * MEBIBYTE)));
    expect((await answerTo(heard)).status).toBe(503);
  });

  it('and large ones leave a quarter of the memory of all to small ones, however small their pieces are', async () => {
    const limits = { heldPerClient: Infinity, held: 4 * MEBIBYTE };
    await start({ limits });
    const bodies: Heard[] = [];
    for (let count = 0; count < 8; count++) bodies.push(await begin(headOf(CHUNKED)));
    for (let piece = 0; piece < 40; piece++)
      for (const { socket } of bodies) socket.write(chunk('x'.repeat(20 * KIBIBYTE)));
    await until(() => bodies.some(({ text }) => text.startsWith('HTTP/1.1 503')));
    expect(held()).toBeLessThanOrEqual(3 * MEBIBYTE);
    expect((await call(30 * KIBIBYTE)).status).toBe(200);
  });

  it('in tiny pieces as well, which do not cost more than large ones', async () => {
    await start({}, { requestTimeout: 600_000 });
    const text = bodyOf(50 * KIBIBYTE);
    const body = await begin(headOf(CHUNKED));
    body.socket.write([...text].map(chunk).join(''));
    await until(() => held() >= text.length);
    expect(held()).toBeLessThanOrEqual(2 * text.length);
    body.socket.write('0\r\n\r\n');
    expect((await answerTo(body)).status).toBe(200);
    await allGivenBack();
  });
});

describe('everything is given back once', () => {
  const PART = 300 * KIBIBYTE;
  const ENDS: Record<string, (body: Heard) => Promise<unknown>> = {
    'its end': (body) => (body.socket.write('0\r\n\r\n'), answerTo(body)),
    'a chunk that is none': (body) => (body.socket.write('no chunk\r\n'), answerTo(body)),
    'a client that leaves': async (body) => body.socket.destroy(),
    'a client that resets the connection': async (body) => body.socket.resetAndDestroy(),
    'a client that ends the connection in the middle': async (body) => body.socket.end(),
    'too many bytes': (body) => (body.socket.write(chunk('x'.repeat(4 * MEBIBYTE))), answerTo(body)),
    'no more room': (body) => (body.socket.write(chunk('x'.repeat(2 * MEBIBYTE))), answerTo(body)),
    'its time limit': (body) => answerTo(body),
  };
  it.each(Object.entries(ENDS))('after %s', async (what, end) => {
    const [requestTimeout, rounds] = what === 'its time limit' ? [1000, 1] : [30_000, 3];
    const heldPerClient = what === 'no more room' ? MEBIBYTE : 16 * MEBIBYTE;
    await start({ limits: { heldPerClient } }, { requestTimeout });
    for (let round = 0; round < rounds; round++) {
      const bodies = await Promise.all(
        Array.from({ length: 2 }, () => begin(headOf(CHUNKED) + chunk('x'.repeat(PART)))),
      );
      await until(() => held() >= 2 * PART);
      await Promise.all(bodies.map(end));
      await allGivenBack();
    }
    expect((await call(200 * KIBIBYTE)).status).toBe(200);
    await allGivenBack();
  });

  it('soon after its time limit, where the client does not close the connection', async () => {
    const clock = new ManualClock();
    await start({ clock }, { requestTimeout: 1000 });
    const socket = connect({ port: open.port, host: '127.0.0.1', allowHalfOpen: true });
    sockets.push(socket);
    let heard = '';
    socket.on('data', (data) => (heard += data.toString('latin1'))).on('error', () => undefined);
    socket.write(headOf(CHUNKED) + chunk('x'.repeat(PART)));
    await until(() => held() >= PART);
    await until(() => heard.startsWith('HTTP/1.1 408 '));
    await clock.advance(1000);
    await allGivenBack();
    await until(() => socket.closed || socket.readableEnded);
  });

  it('after the end of the server, while one is on its way', async () => {
    await start();
    await begin(headOf(CHUNKED) + chunk('x'.repeat(PART)));
    await until(() => held() >= PART);
    await open.close();
    await allGivenBack();
  });

  it('after answers of which the client of a pipeline has asked for several at once', async () => {
    await start();
    const text = bodyOf(100 * KIBIBYTE);
    const socket = connect(open.port, '127.0.0.1');
    sockets.push(socket);
    let heard = '';
    socket.on('data', (data) => (heard += data.toString('latin1')));
    const one = headOf(CHUNKED) + chunk(text.slice(0, 50_000)) + chunk(text.slice(50_000)) + '0\r\n\r\n';
    socket.write(one.repeat(5));
    await until(() => heard.split('HTTP/1.1 200').length === 6);
    await allGivenBack();
  });
});

describe('a request that was answered before its body had come', () => {
  const REFUSED = headOf(CHUNKED, { Origin: 'https://elsewhere.example' }) + chunk('x'.repeat(100));

  it.each([
    ['cannot be read', 'no chunk\r\n', 30_000],
    ['does not come in time', '', 1000],
  ])('gets no second answer where the rest of the body %s', async (_what, rest, requestTimeout) => {
    await start({}, { requestTimeout });
    const body = await begin(REFUSED);
    expect((await answerTo(body)).status).toBe(403);
    body.socket.write(rest);
    await until(() => body.isClosed);
    expect(body.text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  it('leaves its connection to the next request where the rest comes', async () => {
    await start();
    const body = await begin(REFUSED);
    expect((await answerTo(body)).status).toBe(403);
    body.text = '';
    const text = bodyOf(500);
    body.socket.write(`0\r\n\r\n${headOf(announced(text.length))}${text}`);
    expect((await answerTo(body)).status).toBe(200);
  });
});

describe('in an app of a host', () => {
  let app: FastifyInstance;
  const serveIn = async (
    prepare: (app: FastifyInstance) => void,
    definition: Partial<ServerOptions> = {},
  ): Promise<void> => {
    app = Fastify({ forceCloseConnections: true });
    prepare(app);
    const server = createServer({ name: 'bodies', version: '1.0.0', features: [Desk], logger: false, ...definition });
    await app.register(mcpPlugin, { server });
    const url = `${await app.listen({ port: 0, host: '127.0.0.1' })}/mcp`;
    await server.listen({ open: async (given) => void (host = given), close: () => Promise.resolve() });
    const post: OpenServer['post'] = async (body, headers = {}) => {
      const response = await fetch(url, { method: 'POST', headers, body: String(body) });
      return { status: response.status, headers: response.headers, text: await response.text(), messages: [] };
    };
    open = { ...open, url, port: Number(new URL(url).port), post, close: async () => void (await app.close()) };
  };

  it('a hook that waits before the body is read loses none of it', async () => {
    await serveIn((each) => {
      const untilThere = async ({ raw }: FastifyRequest): Promise<void> => until(() => raw.readableLength > 0);
      each.addHook('onRequest', untilThere);
      each.addHook('preParsing', untilThere);
    });
    for (const length of [500, 100 * KIBIBYTE, 2 * MEBIBYTE]) expect((await call(length)).status).toBe(200);
    await allGivenBack();
  });

  it('a body is what a hook makes of it, and what it makes is counted', async () => {
    await serveIn(
      (each) =>
        each.addHook('preParsing', async (_request, _reply, payload) => {
          const doubled = new Transform({
            transform(piece: Buffer, _encoding, done) {
              Object.assign(doubled, {
                receivedEncodedLength: Number(Reflect.get(doubled, 'receivedEncodedLength') ?? 0) + piece.length,
              });
              done(null, piece.toString().replaceAll('y', 'x'.repeat(20)));
            },
          });
          return payload.pipe(doubled);
        }),
      { limits: { heldPerClient: 2 * MEBIBYTE } },
    );
    const small = callWith('y');
    expect((await open.post(small, HEADERS)).status).toBe(200);
    const grown = await open.post(callWith('y'.repeat(150 * KIBIBYTE)), HEADERS);
    expect([grown.status, grown.text]).toEqual([503, expect.stringContaining('limits.heldPerClient')]);
    await allGivenBack();
  });

  it('a hook that answers in the place of the endpoint, once the body has come, gives it back', async () => {
    await serveIn((each) => {
      each.addHook('preValidation', async (_request, reply) => reply.code(429).send('slow down'));
    });
    expect((await call(300 * KIBIBYTE)).status).toBe(429);
    await allGivenBack();
  });

  it('a hook that answers gives a body back whose client has left before, while the hook read it or while others of its pipeline were answered', async () => {
    const seen: string[] = [];
    let answerFirst = (): void => undefined;
    const mayBeAnswered = new Promise<void>((resolve) => (answerFirst = resolve));
    await serveIn((each) => {
      each.addHook('preParsing', async ({ raw, headers }, _reply, payload) => {
        const pieces: Buffer[] = [];
        for await (const piece of payload) pieces.push(piece as Buffer);
        seen.push('read');
        if (headers['x-leaves']) await until(() => raw.socket.destroyed);
        return Readable.from(pieces);
      });
      each.addHook('preValidation', async ({ headers }, reply) => {
        if (headers['x-first']) await mayBeAnswered;
        seen.push('answered');
        return reply.code(429).send('slow down');
      });
    });
    const body = bodyOf(300 * KIBIBYTE);
    const left = await begin(headOf(announced(body.length), { 'x-leaves': 'yes' }) + body);
    await until(() => seen.length === 1);
    left.socket.destroy();
    await until(() => seen.length === 2);
    const small = callWith('x');
    const pipeline = await begin(headOf(announced(small.length), { 'x-first': 'yes' }) + small);
    pipeline.socket.write(headOf(announced(body.length)) + body);
    await until(() => seen.filter((what) => what === 'answered').length === 2);
    pipeline.socket.destroy();
    answerFirst();
    await until(() => seen.length === 6);
    await allGivenBack();
  });

  it('what a hook makes of a small body is counted as well', async () => {
    let pieces = 0;
    let end = (): void => undefined;
    await serveIn((each) =>
      each.addHook('preParsing', async () => {
        const large = new PassThrough();
        large.write(Buffer.alloc(600 * KIBIBYTE, 0x20), () => (pieces += 1));
        end = () => large.end();
        return large;
      }),
    );
    const answer = call(500);
    await until(() => pieces === 1 && held() >= 600 * KIBIBYTE);
    end();
    expect((await answer).status).toBe(400);
    await allGivenBack();
  });

  it('a body of which a hook leaves something out, and does not say so, is refused', async () => {
    await serveIn((each) =>
      each.addHook('preParsing', async (_request, _reply, payload) =>
        payload.pipe(new Transform({ transform: (piece: Buffer, _encoding, done) => done(null, piece.subarray(1)) })),
      ),
    );
    const { status, text } = await call(300 * KIBIBYTE);
    expect([status, text]).toEqual([400, expect.stringContaining('differs from Content-Length')]);
    await allGivenBack();
  });

  it('a hook whose stream fails says with what the request is answered', async () => {
    await serveIn((each) =>
      each.addHook('preParsing', async ({ headers }, _reply, payload) => {
        const failure = Object.assign(new Error('not for you'), headers['x-status'] && { statusCode: 422 });
        const failing = (_piece: Buffer, _encoding: string, done: (error: Error) => void): void =>
          void setTimeout(() => done(failure), 20);
        return payload.pipe(new Transform({ transform: failing }));
      }),
    );
    const own = await call(300 * KIBIBYTE, { 'x-status': 'yes' });
    expect([own.status, own.text]).toEqual([422, expect.stringContaining('not for you')]);
    expect((await call(300 * KIBIBYTE)).status).toBe(400);
    await allGivenBack();
  });
});

it('a body is read as it was sent, however it is cut into pieces', async () => {
  await start();
  const pieces = fc.array(fc.integer({ min: 1, max: 40_000 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.boolean(), async (lengths, isChunked) => {
      const words = Array.from({ length: lengths.reduce((sum, length) => sum + length, 0) / 5 }, (_, index) => index);
      const bytes = callWith(words.join(' '));
      const body = await begin(headOf(isChunked ? CHUNKED : announced(bytes.length)));
      let at = 0;
      for (const length of [...lengths, bytes.length]) {
        const piece = bytes.slice(at, at + length);
        at += length;
        if (piece !== '') body.socket.write(isChunked ? chunk(piece) : piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (isChunked) body.socket.write('0\r\n\r\n');
      const { status, message } = await answerTo(body);
      expect([status, message]).toMatchObject([200, { result: { content: [{ text: digestOf(words.join(' ')) }] } }]);
      body.socket.destroy();
    }),
    { numRuns: runs(40) },
  );
  await allGivenBack();
});
