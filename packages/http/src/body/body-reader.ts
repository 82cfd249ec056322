/**
 * A body on its way, read and counted as it comes, and then as a message. A client is charged for the memory that its bytes take, not for
 * what it announces: one that announces much and sends little keeps nobody out.
 */
import { isUtf8 } from 'node:buffer';
import type { Account, ClientLoad } from '@sigil-mcp/core/internal';
import {
  ERROR_CODES,
  parseMessage,
  type InboundBatch,
  type InboundMessage,
  type MessageLimits,
} from '@sigil-mcp/protocol';
import { clientOf, refusal, Refusal, tooLarge, type HttpCall } from '../call';
import type { HttpRequest } from '../port';

/** The bytes of one body, which come in pieces of any size. */

const NOTHING = Buffer.alloc(0);

/**
 * One buffer, which doubles when it is full. Pieces that were held one by one would cost 600 bytes each, and a client may send a body as
 * four million of them.
 */
export class BodyBuffer {
  #bytes: Buffer = NOTHING;
  #length = 0;

  /**
   * @param expected bytes that are likely to be all
   * @param onGrow is called with the bytes of memory that the body is about to take; `add` throws the errors that it throws
   */
  constructor(
    private readonly expected: number,
    private readonly onGrow: ((bytes: number) => void) | undefined,
  ) {}

  /** How many bytes have come. */
  get length(): number {
    return this.#length;
  }

  /** What has come. */
  get bytes(): Buffer {
    return this.#bytes.length === this.#length ? this.#bytes : this.#bytes.subarray(0, this.#length);
  }

  /** Adds a piece. It belongs to the body from now on: a small body comes in one piece, which needs no copy. */
  add(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (this.#length === 0 && length >= this.expected) {
      this.onGrow?.(length);
      this.#bytes = piece;
    } else {
      if (length > this.#bytes.length) this.#growFor(length);
      piece.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  #growFor(length: number): void {
    const doubled = 2 * this.#bytes.length;
    // Twice what has come may be taken. Where all of it fits into that, it is taken at once: most bodies come in two pieces.
    const isAllLikely = length <= this.expected && 2 * length >= this.expected;
    const bytes = isAllLikely ? this.expected : Math.max(length, doubled);
    this.onGrow?.(bytes);
    const larger = Buffer.allocUnsafe(bytes);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Bytes up to which a body is not counted: its connection costs as much. */
const SMALL = 16 * 1024;

/** What bodies are counted against. */
export interface BodyLimits {
  readonly account: Account;
  /** In bytes, of one body. */
  readonly bodyLimit: number;
}

/** Reads one body: piece by piece, then its end. */
export class BodyReader {
  readonly #buffer: BodyBuffer;
  readonly #limit: number;
  /** Bytes that the head has announced; undefined where it has not. */
  readonly #length: number | undefined;

  /**
   * What is larger than the limit, or finds no room, is refused as soon as that is known: by its announced length before a byte is read,
   * else with the byte that is too much.
   * @param call the request, whose client is charged
   * @param isChanged whether others have changed the bytes before they are read here, so that they may be more than announced
   * @throws Refusal with 413, and Denial if there is no room
   */
  constructor(call: HttpCall, { account, bodyLimit }: BodyLimits, isChanged = false) {
    const announced = announcedBy(call.request);
    this.#limit = bodyLimit;
    this.#length = Number.isFinite(announced) ? announced : undefined;
    if (this.#length !== undefined && this.#length > bodyLimit) throw this.#tooLarge();
    const isSmall = announced <= SMALL && !isChanged;
    const room = isSmall ? undefined : openRoom(call, new BodyRoom(account, account.loadOf(clientOf(call, account))));
    if (this.#length !== undefined) room?.check(this.#length);
    this.#buffer = new BodyBuffer(this.#length ?? bodyLimit, room && ((bytes) => room.grow(bytes)));
  }

  /**
   * Takes a piece, which belongs to the body from now on.
   * @param received the bytes that have come so far, before others have changed them; those that were added if left out
   * @throws Refusal with 413, and Denial if there is no room for more
   */
  add(piece: Buffer, received = 0): void {
    if (this.#buffer.length + piece.length > this.#limit || received > this.#limit) throw this.#tooLarge();
    this.#buffer.add(piece);
  }

  /**
   * Ends the body.
   * @param received as of `add`
   * @returns all of it
   * @throws Refusal with 400 if it is not as long as announced
   */
  end(received?: number): Buffer {
    if (this.#length !== undefined && (received || this.#buffer.length) !== this.#length)
      throw refusal(400, 'The length of the body differs from Content-Length.');
    return this.#buffer.bytes;
  }

  #tooLarge(): Refusal {
    return tooLarge(this.#limit);
  }
}

/** Reads all of a body. Rejects as `BodyReader` throws. */
export async function readWhole(pieces: AsyncIterable<Uint8Array>, reader: BodyReader): Promise<Buffer> {
  for await (const piece of pieces) reader.add(Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength));
  return reader.end();
}

/** Its client may leave, or time out, or be answered by others before the body has come. */
function openRoom(call: HttpCall, room: BodyRoom): BodyRoom {
  const close = (): void => room.close();
  call.closeBody = close;
  call.request.onClosed(close);
  return room;
}

/** The memory that one body takes: it grows with the body, and is given back once. */
class BodyRoom {
  #giveBack: () => void = () => undefined;
  #isClosed = false;

  constructor(
    private readonly account: Account,
    private readonly load: ClientLoad,
  ) {}

  /** Throws `Denial` if there is no room now for so many bytes; takes no room. */
  check(bytes: number): void {
    this.account.check(this.load, 'bodies', bytes);
  }

  /** The body takes so many bytes now. Throws `Denial` if there is no room for them; then the body has no room at all. */
  grow(bytes: number): void {
    if (bytes <= SMALL || this.#isClosed) return;
    // As a whole, and not by what is added: what is large must leave room to what is small.
    this.#giveBack();
    this.#giveBack = () => undefined;
    this.#giveBack = this.account.take(this.load, 'bodies', bytes);
  }

  close(): void {
    this.#isClosed = true;
    this.#giveBack();
    this.#giveBack = () => undefined;
  }
}

/** Bytes of a body, as its head announces them; infinitely many if the head announces no length, which HTTP/2 does not need. */
function announcedBy({ headers, httpVersion }: HttpRequest): number {
  const length = headers['content-length'];
  if (length !== undefined) return Number(length);
  return headers['transfer-encoding'] !== undefined || !httpVersion.startsWith('1.') ? Infinity : 0;
}

/** The valid contents of a body. */
export type BodyMessage = Exclude<InboundMessage, { kind: 'invalid' }> | InboundBatch;

/** Reads the message, or the batch, of a POST. Throws a `Refusal` with 400 if it is not UTF-8, JSON, or JSON-RPC. */
export function readBody(body: Uint8Array | undefined, limits: MessageLimits): BodyMessage {
  const message = parseMessage(readText(body), limits);
  if (message.kind === 'invalid') {
    const { id, error, limit } = message;
    throw new Refusal(400, error, { id, limit, isUnreadable: true });
  }
  return message;
}

/** Reads the text of a POST; empty without a body. Throws a `Refusal` with 400 if it is not UTF-8. */
export function readText(body: Uint8Array | undefined): string {
  if (body === undefined) return '';
  if (!isUtf8(body)) {
    const error = { code: ERROR_CODES['parse-error'], message: 'Parse error: the body is not UTF-8.' };
    throw new Refusal(400, error, { isUnreadable: true });
  }
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
}
