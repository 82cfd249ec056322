/** Requests as no well-mannered client would send them: any header, any number of times, or none. */
import { connect, type Socket } from 'node:net';
import { until } from '../../support/until';
import type { Message, OpenServer } from './http-server';

export { until };

/** One request; what is left out is what a client of the protocol sends. */
export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** Of HTTP; 1.1 if left out. */
  readonly version?: '1.0' | '1.1';
  /** Undefined leaves a header out; a list sends it several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** JSON unless it is text or bytes. */
  readonly body?: unknown;
}

/** What came back. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The body, where it is JSON. */
  readonly message: Message | undefined;
}

/** Sends a request on a connection of its own. */
export async function ask({ port, raw }: OpenServer, request: RawRequest): Promise<RawAnswer> {
  // A stream that a GET opens has no end.
  const isStream = (text: string): boolean => /^content-type: text\/event-stream[^]*\r\n\r\n/im.test(text);
  return readAnswer(await raw(bytesOf(port, request), request.method === 'GET' ? isStream : undefined));
}

/** The bytes of a request. */
export function bytesOf(port: number, request: RawRequest): Buffer {
  const { method = 'POST', target = '/mcp', version = '1.1', headers = {}, body } = request;
  const content = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  const all: RawRequest['headers'] = {
    Host: `127.0.0.1:${port}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    Connection: 'close',
    ...((method === 'POST' || content.length > 0) && { 'Content-Length': String(content.length) }),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, values]) =>
    values === undefined ? [] : [values].flat().map((value) => `${name}: ${value}`),
  );
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
    content,
  ]);
}

/** Reads one answer from what came over a socket. */
export function readAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
  );
  const length = headers.get('content-length');
  const content = text.slice(end + 4, length === undefined ? undefined : end + 4 + Number(length));
  const body = Buffer.from(content, 'latin1').toString('utf8');
  const message = body.startsWith('{') ? (JSON.parse(body) as Message) : undefined;
  return { status: Number(statusLine.split(' ')[1]), headers, body, message };
}

/** A socket of one's own. */
export function dial(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(socket));
    socket.on('error', reject);
  });
}

/** Whether a port of this machine takes connections. */
export function isListening(port: number): Promise<boolean> {
  return dial(port).then(
    (socket) => {
      socket.destroy();
      return true;
    },
    () => false,
  );
}

/** The server's own ends of the connections that come from now on, in their order: what has reached it, and what it has noticed. */
export function serverEnds({ http }: OpenServer): readonly Socket[] {
  const ends: Socket[] = [];
  http.on('connection', (socket: Socket) => ends.push(socket));
  return ends;
}

/** Waits until a number stays what it is for a while: what would have changed it has come to rest. */
export async function untilStill(read: () => number): Promise<void> {
  let [before, same] = [NaN, 0];
  await until(() => {
    const now = read();
    same = now === before ? same + 1 : 0;
    before = now;
    return same === 20;
  });
}
