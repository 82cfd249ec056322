/** Delivers records to a sink, in their order, at least once: what the sink does not take is tried again, later and later. */
import type { Clock, Logger, Timer } from '@sigil-mcp/core/adapter';
import { isPromise, outsideRequests } from '@sigil-mcp/core/internal';
import { auditError } from '../errors';
import { lossRecord, type Loss } from '../records/other-records';
import type { RecordTexts } from '../records/record-text';
import type { AuditSink } from '../sinks/audit-sink';

/** What a line costs in addition to its characters, as it is put together of parts. */
const OVERHEAD = 512;

/**
 * Lines in their order.
 *
 * Records that wait for their sink, within a limit of bytes; what does not fit is counted.
 */
class RecordQueue {
  #lines: string[] = [];
  #bytes = 0;
  #loss: Loss | undefined;

  constructor(private readonly maxBytes: number) {}

  /** What they take in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  get length(): number {
    return this.#lines.length;
  }

  /** Whether there is room for a record of so many characters; one is always taken. */
  hasRoom(characters: number): boolean {
    return this.#lines.length === 0 || this.#bytes + bytesOf(characters) <= this.maxBytes;
  }

  push(line: string): void {
    this.#lines.push(line);
    this.#bytes += bytesOf(line.length);
  }

  /** The first lines. */
  first(count: number): readonly string[] {
    return this.#lines.length <= count ? [...this.#lines] : this.#lines.slice(0, count);
  }

  /** The first lines were taken. */
  drop(count: number): void {
    for (const line of this.#lines.splice(0, count)) this.#bytes -= bytesOf(line.length);
  }

  /** A record did not fit. @param time when it ended @returns whether it is the first in a row */
  lose(time: number): boolean {
    const isFirst = this.#loss === undefined;
    const { count = 0, from = time } = this.#loss ?? {};
    this.#loss = { count: count + 1, from, to: time };
    return isFirst;
  }

  /** What was lost since it was asked for. */
  takeLoss(): Loss | undefined {
    const loss = this.#loss;
    this.#loss = undefined;
    return loss;
  }
}

/** How records are delivered. */
export interface DeliveryOptions {
  readonly maxBufferBytes: number;
  /** Milliseconds that the sink has for one batch. */
  readonly timeout: number;
  /** The most records in one batch. */
  readonly batch: number;
}

/** What it works with. */
export interface DeliveryParts {
  readonly sink: AuditSink;
  /** Makes a line of a record. */
  readonly seal: (body: string) => string;
  readonly texts: RecordTexts;
  readonly logger: Logger;
  readonly clock: Clock;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 30_000;

/** Delivers the records of one audit while it is open. */
export class Delivery {
  readonly #queue: RecordQueue;
  #isBusy = false;
  #pause = FIRST_PAUSE;
  #retry: Timer | undefined;
  #isFailing = false;
  #isClosing = false;
  #isClosed = false;
  #lost = 0;
  #emptied: (() => void) | undefined;
  /** A batch has the records of several requests. */
  readonly #outside = outsideRequests();

  constructor(
    private readonly parts: DeliveryParts,
    private readonly options: DeliveryOptions,
  ) {
    this.#queue = new RecordQueue(options.maxBufferBytes);
  }

  /** Records that the sink could not take, and never will. */
  get lost(): number {
    return this.#lost;
  }

  /** Bytes of memory of the records that wait. */
  get bytes(): number {
    return this.#queue.bytes;
  }

  /** Records that wait. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** @param body a record without its closing brace */
  add(body: string): void {
    if (this.#isClosed || !this.#queue.hasRoom(body.length)) return this.#lose();
    this.#tellLoss();
    this.#queue.push(this.parts.seal(body));
    this.#deliver();
  }

  /** Delivers what waits, within a time. @returns how many records are still undelivered */
  async drain(milliseconds: number): Promise<number> {
    this.#isClosing = true;
    this.#tellLoss();
    if (this.#retry) this.#tryAgain();
    else this.#deliver();
    if (this.#queue.length > 0) await this.#emptiedWithin(milliseconds);
    this.#isClosed = true;
    this.#retry?.close();
    this.#lost += this.#queue.length;
    return this.#queue.length;
  }

  #emptiedWithin(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.parts.clock.after(milliseconds, resolve);
      this.#emptied = () => {
        timer.close();
        resolve();
      };
    });
  }

  #lose(): void {
    const { logger, texts } = this.parts;
    this.#lost += 1;
    if (this.#queue.lose(texts.now))
      logger.error({}, 'Audit records are lost: their sink does not take them, and the buffer is full');
  }

  /** The record of a loss stands where the lost records would stand. */
  #tellLoss(): void {
    const loss = this.#queue.takeLoss();
    if (loss) this.#queue.push(this.parts.seal(lossRecord(loss, this.parts.texts)));
  }

  #deliver(): void {
    if (this.#isBusy || this.#retry) return;
    if (this.parts.sink.isImmediate) return this.#run();
    this.#isBusy = true;
    // What is added in the same turn is one batch.
    setImmediate(() => {
      this.#isBusy = false;
      this.#run();
    });
  }

  #run(): void {
    this.#outside(() => this.#writeAll());
  }

  #writeAll(): void {
    // What was given up is not written into a sink that is closed.
    while (!this.#isBusy && !this.#isClosed && this.#queue.length > 0) {
      const lines = this.#queue.first(this.options.batch);
      try {
        const written = this.parts.sink.write(lines);
        if (isPromise(written)) return this.#await(written, lines.length);
        this.#taken(lines.length);
      } catch (error) {
        return this.#failed(error);
      }
    }
  }

  #await(written: Promise<void>, count: number): void {
    this.#isBusy = true;
    const { timeout } = this.options;
    let isOver = false;
    const settle = (then: () => void): void => {
      if (isOver) return;
      isOver = true;
      this.#isBusy = false;
      then();
    };
    const late = (): void => settle(() => this.#failed(auditError('SIGIL_AUDIT_TIMEOUT', { timeout })));
    const timer = this.parts.clock.after(timeout, late).unref();
    const taken = (): void => {
      this.#taken(count);
      this.#run();
    };
    written
      .then(
        () => settle(taken),
        (error: unknown) => settle(() => this.#failed(error)),
      )
      .finally(() => timer.close())
      .catch(() => undefined);
  }

  #taken(count: number): void {
    this.#queue.drop(count);
    this.#pause = FIRST_PAUSE;
    if (this.#isFailing) {
      this.#isFailing = false;
      this.parts.logger.info({ waiting: this.#queue.length, lost: this.#lost }, 'The audit sink takes records again');
      this.#tellLoss();
    }
    if (this.#queue.length === 0) this.#emptied?.();
  }

  #failed(err: unknown): void {
    if (!this.#isFailing)
      this.parts.logger.error(
        { err, waiting: this.#queue.length },
        'The audit sink fails: its records wait, and are tried again',
      );
    this.#isFailing = true;
    if (this.#isClosed) return;
    this.#retry = this.parts.clock.after(this.#isClosing ? FIRST_PAUSE : this.#pause, () => this.#tryAgain()).unref();
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE);
  }

  #tryAgain(): void {
    this.#retry?.close();
    this.#retry = undefined;
    this.#run();
  }
}

function bytesOf(characters: number): number {
  return 2 * characters + OVERHEAD;
}
