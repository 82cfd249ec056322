/**
 * From bytes to lines. All complete lines of a chunk are decoded at once; only a chunk with something wrong in it is looked
 * at line by line, so that one bad line does not spoil its neighbours.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
import { isUtf8 } from 'node:buffer';
import { ProtocolError } from '@sigil-mcp/protocol';
import { GrowingBuffer } from './growing-buffer';

/** What is done with lines. */
export interface LineTaker {
  /** A line without its end. */
  take(line: string): void;
  /** A line that is no text, or is too long. */
  refuse(error: ProtocolError): void;
}

const NEWLINE = 0x0a;

/** Cuts bytes into lines, however they arrive. */
export class LineReader {
  readonly #begun = new GrowingBuffer();
  /** Set while the rest of a line that is too long passes by. */
  #skipping = false;

  /** @param maxLineBytes a longer line is refused as soon as that is known; its rest is skipped, not kept */
  constructor(
    private readonly taker: LineTaker,
    private readonly maxLineBytes: number,
  ) {}

  /** A listener for `data` events, of bytes or of text. */
  readonly push = (data: Buffer | string): void => {
    const chunk = typeof data === 'string' ? Buffer.from(data) : data;
    let start = 0;
    if (this.#skipping || this.#begun.length > 0) {
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

  /** The input is over: what has begun and did not end is a line too. */
  end(): void {
    if (!this.#skipping && this.#begun.length > 0) this.#takeLine(this.#begun.take());
  }

  #begin(piece: Buffer): void {
    if (this.#skipping) return;
    if (this.#begun.length + piece.length > this.maxLineBytes) {
      this.#begun.clear();
      this.#skipping = true;
      this.#refuseLength();
    } else this.#begun.append(piece);
  }

  #complete(piece: Buffer): void {
    this.#begin(piece);
    if (this.#skipping) this.#skipping = false;
    else this.#takeLine(this.#begun.take());
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
    if (line.length > this.maxLineBytes) this.#refuseLength();
    else if (isUtf8(line)) this.taker.take(withoutReturn(line.toString('utf8')));
    else this.taker.refuse(new ProtocolError('parse-error', 'The message is not valid UTF-8'));
  }

  #refuseLength(): void {
    const what = `The message is longer than ${this.maxLineBytes} bytes, the limit set by maxLineBytes of StdioTransport`;
    this.taker.refuse(new ProtocolError('invalid-request', what));
  }
}

/** Lines of Windows end in two characters. */
function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
