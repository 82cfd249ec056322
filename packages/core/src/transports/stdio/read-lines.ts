/**
 * From bytes to lines. All complete lines of a chunk are decoded at once; only a chunk with an invalid part is examined line by line, so
 * that one bad line does not affect the others.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
import { isUtf8 } from 'node:buffer';
import { ERROR_CODES, ProtocolError, writeError, type RequestId } from '@sigil-mcp/protocol';
import { ExceededLimit } from '../../errors/denial';
import { LongLine, type LineSubject } from './long-line';

/**
 * Holds the beginning of a line until its end arrives.
 *
 * Bytes that arrive in pieces: copied into one buffer that doubles, so that neither time nor memory is quadratic.
 */
class GrowingBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** Bytes that were gathered since the last `take` or `clear`. */
  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#bytes.length * 2, SMALLEST));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** Gives and forgets what was gathered. It has to be used before the next `append`, which may overwrite it. */
  take(): Buffer {
    const taken = this.#bytes.subarray(0, this.#length);
    this.clear();
    return taken;
  }

  /** Forgets what was gathered, and a buffer that has grown large: one long line must not cost its memory for good. */
  clear(): void {
    if (this.#bytes.length > LARGEST_KEPT) this.#bytes = Buffer.alloc(0);
    this.#length = 0;
  }
}

const SMALLEST = 4096;

const LARGEST_KEPT = 256 * 1024;

/** Receives lines. */
export interface LineTaker {
  /** A line without its end. */
  take(line: string): void;
  /**
   * A line that is not valid text, or is too long.
   * @param id of its request, if that could be found
   */
  refuse(error: ProtocolError, id?: RequestId): void;
}

const NEWLINE = 0x0a;

/** Splits bytes into lines, in chunks of any size. */
export class LineReader {
  readonly #begun = new GrowingBuffer();
  /** A line that is too long, while it is skipped. */
  #long: LongLine | undefined;
  /** Whether that line was refused before its end. */
  #isRefused = false;

  /** @param maxLineBytes a longer line is refused as soon as possible; its rest is skipped */
  constructor(
    private readonly taker: LineTaker,
    private readonly maxLineBytes: number,
  ) {}

  /** A listener for `data` events, of bytes or of text. */
  readonly push = (data: Buffer | string): void => {
    const chunk = typeof data === 'string' ? Buffer.from(data) : data;
    let start = 0;
    if (this.#long || this.#begun.length > 0) {
      const end = chunk.indexOf(NEWLINE);
      if (end < 0) return this.#begin(chunk);
      this.#complete(chunk.subarray(0, end));
      start = end + 1;
    }
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= start) this.#takeLines(chunk.subarray(start, last));
    const rest = Math.max(last + 1, start);
    if (rest < chunk.length) this.#begin(chunk.subarray(rest));
  };

  /** The input has ended: an incomplete line counts as a line, too. */
  end(): void {
    if (this.#long) this.#endLong(this.#long);
    else if (this.#begun.length > 0) this.#takeLine(this.#begun.take());
  }

  #begin(piece: Buffer): void {
    if (this.#long) this.#long.add(piece);
    else if (this.#begun.length + piece.length > this.maxLineBytes) this.#long = this.#beginLong(piece);
    else this.#begun.append(piece);
  }

  #complete(piece: Buffer): void {
    this.#begin(piece);
    if (this.#long) this.#endLong(this.#long);
    else this.#takeLine(this.#begun.take());
  }

  /** A line whose beginning identifies its request is refused early: its end may be far away. */
  #beginLong(piece: Buffer): LongLine {
    const long = new LongLine(this.maxLineBytes);
    long.add(this.#begun.take());
    long.add(piece);
    const { early } = long;
    this.#isRefused = early !== undefined;
    if (early) this.#refuseLength(early);
    return long;
  }

  #endLong(long: LongLine): void {
    this.#long = undefined;
    if (!this.#isRefused) this.#refuseLength(long.late);
  }

  /** @param region complete lines, without the last newline */
  #takeLines(region: Buffer): void {
    if (region.length > this.maxLineBytes || !isUtf8(region)) return this.#takeEach(region);
    const text = region.toString('utf8');
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.taker.take(withoutReturn(text.slice(start, end)));
      start = end + 1;
    }
    this.taker.take(withoutReturn(start === 0 ? text : text.slice(start)));
  }

  #takeEach(region: Buffer): void {
    let start = 0;
    for (let end = region.indexOf(NEWLINE); end >= 0; end = region.indexOf(NEWLINE, start)) {
      this.#takeLine(region.subarray(start, end));
      start = end + 1;
    }
    this.#takeLine(region.subarray(start));
  }

  #takeLine(line: Buffer): void {
    if (line.length > this.maxLineBytes) this.#refuseWhole(line);
    else if (isUtf8(line)) this.taker.take(withoutReturn(line.toString('utf8')));
    else this.taker.refuse(new ProtocolError('parse-error', 'The message is not valid UTF-8'));
  }

  #refuseWhole(line: Buffer): void {
    const long = new LongLine(this.maxLineBytes);
    long.add(line);
    this.#refuseLength(long.early ?? long.late);
  }

  #refuseLength({ kind, id }: LineSubject): void {
    const message = `The message is longer than ${this.maxLineBytes} bytes, the limit set by maxLineBytes of StdioTransport`;
    // If the line is an answer, the request that waits for it fails. A notification is dropped.
    if (kind === 'response') this.taker.take(writeError(id, { code: ERROR_CODES['invalid-request'], message }));
    else if (kind !== 'notification')
      this.taker.refuse(new ExceededLimit('invalid-request', message, 'maxLineBytes'), id);
  }
}

/** On Windows, lines end in two characters. */
function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
