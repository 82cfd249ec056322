/**
 * From messages to bytes: messages of one turn of the event loop are written together, or as soon as they fill a page. While the client
 * does not read, nothing more is passed to the stream.
 */
import type { Writable } from 'node:stream';
import type { MaybePromise } from '@sigil-mcp/base';
import type { RealWrite } from './guard-stdout';

/** The callbacks of a writer. */
export interface WriterEvents {
  /** Called when the client does not keep up. */
  full(): void;
  /** Called when the client has caught up. */
  drained(): void;
}

/** Characters of one write. If more are queued, or were written in one turn, callers are asked to wait. */
const WRITE_SIZE = 64 * 1024;

/** Characters that are written before the end of the turn, so that the client can read them meanwhile; up to one full write. */
const PAGE = 4 * 1024;

/** Writes lines in order. */
export class LineWriter {
  readonly #lines: string[] = [];
  /** Characters in the queue. */
  #queued = 0;
  /** Characters that were written before the end of this turn. */
  #early = 0;
  #scheduled: NodeJS.Immediate | undefined;
  #full = false;
  /** Writes that the stream has not finished yet. */
  #unfinished = 0;
  #room: Deferred | undefined;
  #idle: Deferred | undefined;
  #closed = false;

  constructor(
    private readonly output: Writable,
    private readonly events: WriterEvents,
    private readonly realWrite: RealWrite = (text, done) => output.write(text, done),
  ) {
    output.on('drain', this.#onDrain);
  }

  /**
   * Queues one message.
   * @returns a promise if the output is full, which resolves when there is room. It takes at least one turn of the event loop, so that
   *   a handler that reports without end does not block the input.
   */
  readonly write = (text: string): MaybePromise<void> => {
    if (this.#closed) return;
    this.#lines.push(text);
    this.#queued += text.length;
    if (!this.#full) this.#schedule();
    if (!this.#full && this.#queued >= PAGE && this.#early < WRITE_SIZE) this.#writeEarly();
    if (this.#full || this.#isCrowded) return (this.#room ??= defer()).promise;
  };

  /** Resolves when everything written so far was accepted by the operating system, or is lost because the output failed. */
  finished(): Promise<void> {
    if (!this.#full) this.#flush();
    return this.#isIdle ? Promise.resolve() : (this.#idle ??= defer()).promise;
  }

  /** Drops the queue and all later messages; pending promises resolve. The stream itself stays open. */
  close(): void {
    this.#closed = true;
    this.#full = false;
    this.output.off('drain', this.#onDrain);
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#lines.length = 0;
    this.#queued = 0;
    this.#early = 0;
    this.#unfinished = 0;
    this.#settle();
  }

  /** Whether more was written in this turn than fits into one write. */
  get #isCrowded(): boolean {
    return this.#queued + this.#early > WRITE_SIZE;
  }

  get #isIdle(): boolean {
    return this.#lines.length === 0 && this.#unfinished === 0;
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    this.#early = 0;
    this.#writeAll();
    this.#settle();
  }

  #writeEarly(): void {
    this.#early += this.#queued;
    this.#writeAll();
  }

  #writeAll(): void {
    while (this.#lines.length > 0 && !this.#full) this.#writeSome();
  }

  #writeSome(): void {
    const lines = this.#takeSome();
    this.#unfinished += 1;
    const hasRoom = this.realWrite(lines.length === 1 ? `${lines[0]}\n` : `${lines.join('\n')}\n`, this.#onWritten);
    // A write larger than the stream's mark reports no room, although the system may have accepted all of it already.
    if (hasRoom || this.output.writableLength === 0) return;
    this.#full = true;
    this.events.full();
  }

  #takeSome(): string[] {
    let count = 0;
    for (let size = 0; count < this.#lines.length && size < WRITE_SIZE; count += 1)
      size += this.#lines[count]?.length ?? 0;
    const taken = this.#lines.splice(0, count);
    for (const { length } of taken) this.#queued -= length;
    return taken;
  }

  readonly #onWritten = (): void => {
    if (this.#closed) return;
    this.#unfinished -= 1;
    this.#settle();
  };

  readonly #onDrain = (): void => {
    // Writes to a guarded stdout emit `drain` for stderr under the same name.
    if (!this.#full || this.output.writableNeedDrain) return;
    this.#full = false;
    this.#writeAll();
    this.#settle();
    if (!this.#full) this.events.drained();
  };

  #settle(): void {
    if (this.#room && !this.#full && !this.#isCrowded) {
      this.#room.resolve();
      this.#room = undefined;
    }
    if (this.#idle && this.#isIdle) {
      this.#idle.resolve();
      this.#idle = undefined;
    }
  }
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function defer(): Deferred {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}
