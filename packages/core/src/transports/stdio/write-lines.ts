/**
 * From messages to bytes: what is written in one turn of the event loop goes out together, as soon as it fills a page; and while
 * the other side does not read, nothing more is handed to the stream.
 */
import type { Writable } from 'node:stream';
import type { MaybePromise } from '../../values/maybe-promise';
import type { RealWrite } from './guard-stdout';

/** What a writer tells its owner. */
export interface WriterEvents {
  /** Called when the other side does not keep up. */
  full(): void;
  /** Called when the other side has caught up. */
  drained(): void;
}

/** Characters that go out in one write; with more than this in the queue, or gone out in one turn, those who write are asked to wait. */
const WRITE_SIZE = 64 * 1024;

/** Characters that do not wait for the end of the turn: the other side reads them while the next are made. Up to a whole write of them. */
const PAGE = 4 * 1024;

/** Writes lines in the order in which they came. */
export class LineWriter {
  readonly #lines: string[] = [];
  /** Characters in the queue. */
  #queued = 0;
  /** Characters that went out before the end of this turn. */
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
   * @returns a promise where there is no room, which resolves when there is. It takes a turn of the event loop, so that a
   *   handler that reports without end keeps nobody else from being read.
   */
  readonly write = (text: string): MaybePromise<void> => {
    if (this.#closed) return;
    this.#lines.push(text);
    this.#queued += text.length;
    if (!this.#full) this.#schedule();
    if (!this.#full && this.#queued >= PAGE && this.#early < WRITE_SIZE) this.#writeEarly();
    if (this.#full || this.#isCrowded) return (this.#room ??= defer()).promise;
  };

  /** Resolves when everything written so far was taken by the operating system, or is lost because it takes no more. */
  finished(): Promise<void> {
    if (!this.#full) this.#flush();
    return this.#isIdle ? Promise.resolve() : (this.#idle ??= defer()).promise;
  }

  /** Drops what is queued and everything that follows; nobody waits in vain. The stream stays as it is. */
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

  /** Whether more was written in this turn than goes out in one write. */
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
    // A write larger than the stream's mark reports no room, though the system may have taken all of it already.
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
    // Whoever writes to a guarded stdout hears of stderr's room under the same name.
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
