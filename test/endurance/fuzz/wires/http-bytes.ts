/** A message as the bytes of an HTTP request, with what is odd about it. */
import { ALONE_META, type Message } from '../../../support/transcript';
import type { Input } from '../traffic/conversation';
import { NEWEST, type Revision } from '../traffic/valid-messages';
import { bytesOf } from './duplex-talk';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { HttpFault } from '../traffic/mutations';
import { ResponseReader, type RawResponse } from './read-responses';

/** What waits for a response. */
interface Waiting {
  /** Called whenever the response has begun, grown or ended. */
  take(response: RawResponse): void;
}

/** A connection. */
export class HttpConnection {
  readonly #socket: Socket;
  readonly #reader: ResponseReader;
  readonly #waiting: Waiting[] = [];
  #taken = 0;
  /** Whether something was sent after which nobody knows what belongs to what. */
  isPoisoned = false;
  isClosed = false;

  constructor(url: URL) {
    this.#socket = connect({ port: Number(url.port), host: url.hostname });
    this.#reader = new ResponseReader((response) => this.#hand(response));
    this.#socket.on('data', (bytes) => this.#reader.push(bytes));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#reader.end();
    });
  }

  /** Whether a request waits for its response. */
  get isBusy(): boolean {
    return this.#waiting.length > 0;
  }

  /** What is wrong with what came. */
  get problem(): string | undefined {
    return this.#reader.problem;
  }

  /** Sends a request, as oddly as it is meant. */
  async send(bytes: Buffer, waiting: Waiting, { splitAt, resetAt, isHalfClosed, deaf }: HttpFault = {}): Promise<void> {
    this.#waiting.push(waiting);
    const cut = resetAt === undefined ? bytes : bytes.subarray(0, resetAt);
    if (splitAt !== undefined && splitAt < cut.length) {
      this.#socket.write(cut.subarray(0, splitAt));
      await delay(2);
      this.#socket.write(cut.subarray(splitAt));
    } else this.#socket.write(cut);
    if (deaf !== undefined) {
      this.#socket.pause();
      setTimeout(() => this.#socket.resume(), deaf);
    }
    if (isHalfClosed) this.#socket.end();
    if (resetAt === undefined) return;
    // Not before the bytes have left.
    await delay(2);
    // Node never frees a handle that is reset while it is being shut down, and then does not exit.
    if (this.#socket.readyState === 'open' && !this.#socket.writableEnded) this.#socket.resetAndDestroy();
    else this.#socket.destroy();
  }

  close(): void {
    this.#socket.destroy();
  }

  #hand(response: RawResponse): void {
    const { responses } = this.#reader;
    const [waiting] = this.#waiting;
    // What comes unasked is the affair of whoever spoiled the connection.
    if (!waiting || responses.indexOf(response) !== this.#taken) return;
    if (response.isComplete) {
      this.#taken++;
      this.#waiting.shift();
    }
    waiting.take(response);
  }
}

/** What a client adds to each of its requests. */
export interface Manner {
  readonly revision: Revision;
  readonly session: string | undefined;
}

const VERSION_KEY = Object.keys(ALONE_META)[0] ?? '';
const NAMED: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The whole request. */
export function requestBytes(input: Input, manner: Manner): Buffer {
  const { method = 'POST', path = '/mcp', headers: changes = [], framing } = input.http ?? {};
  const body = method === 'POST' || framing !== undefined ? bytesOf(input) : Buffer.alloc(0);
  const headers = [...plainHeaders(input.text, manner), ...framingHeaders(framing, body.length)];
  for (const { name, value, isSecond } of changes) {
    const known = headers.findIndex(([other]) => other.toLowerCase() === name.toLowerCase());
    if (known >= 0 && !isSecond) headers.splice(known, 1);
    if (value !== null) headers.push([name, value]);
  }
  const head = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), framed(body, framing)]);
}

function plainHeaders(text: string, { revision, session }: Manner): [string, string][] {
  const version: [string, string][] =
    revision === NEWEST || (session !== undefined && revision >= '2025-06-18')
      ? [['MCP-Protocol-Version', revision]]
      : [];
  const named: [string, string][] = session === undefined ? [] : [['Mcp-Session-Id', session]];
  return [
    ['Host', '127.0.0.1'],
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ...(revision === NEWEST ? mirrored(text) : [...version, ...named]),
  ];
}

/** The headers that repeat a message of the newest revision. */
function mirrored(text: string): [string, string][] {
  const { method, params } = readObject(text);
  const { _meta: meta, arguments: args, ...rest } = objectOf(params);
  const version = (meta as Message | undefined)?.[VERSION_KEY];
  const name = rest[(typeof method === 'string' && NAMED[method]) || ''];
  const region = (args as Message | undefined)?.['region'];
  return [
    ['MCP-Protocol-Version', typeof version === 'string' ? encoded(version) : NEWEST],
    ...(typeof method === 'string' ? ([['Mcp-Method', encoded(method)]] as [string, string][]) : []),
    ...(typeof name === 'string' ? ([['Mcp-Name', encoded(name)]] as [string, string][]) : []),
    ...(typeof region === 'string' ? ([['Mcp-Param-Region', encoded(region)]] as [string, string][]) : []),
  ];
}

function encoded(text: string): string {
  if (/^(?!=\?base64\?.*\?=$)(?:[!-~](?:[\t -~]*[!-~])?)?$/.test(text) && text.length < 4000) return text;
  return `=?base64?${Buffer.from(text.slice(0, 4000), 'utf8').toString('base64')}?=`;
}

function readObject(text: string): Message {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function objectOf(value: unknown): Message {
  return typeof value === 'object' && value !== null ? (value as Message) : {};
}

type Framing = NonNullable<Input['http']>['framing'];

function framingHeaders(framing: Framing, length: number): [string, string][] {
  const chunked: [string, string] = ['Transfer-Encoding', 'chunked'];
  switch (framing) {
    case 'chunked':
    case 'broken chunks':
      return [chunked];
    case 'both':
      return [chunked, ['Content-Length', String(length)]];
    case 'none':
      return [];
    case 'longer':
      return [['Content-Length', String(length + 5)]];
    case 'shorter':
      return [['Content-Length', String(Math.max(0, length - 5))]];
    case undefined:
      return [['Content-Length', String(length)]];
  }
}

function framed(body: Buffer, framing: Framing): Buffer {
  if (framing !== 'chunked' && framing !== 'both' && framing !== 'broken chunks') return body;
  const middle = Math.floor(body.length / 2);
  const pieces = [body.subarray(0, middle), body.subarray(middle)].filter((piece) => piece.length > 0);
  const size = (length: number): string => (framing === 'broken chunks' ? 'zz' : length.toString(16));
  const chunks = pieces.flatMap((piece) => [Buffer.from(`${size(piece.length)}\r\n`), piece, Buffer.from('\r\n')]);
  return Buffer.concat([...chunks, Buffer.from('0\r\n\r\n')]);
}
