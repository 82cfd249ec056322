/**
 * Input that is read while the output is full. It is not handled yet, but the end of the input comes after it, and a client that is gone
 * must be noticed although it left its answers unread.
 */
import type { Readable } from 'node:stream';

/** More than a pipe or a socket holds of a client that is gone; a client that sends more meanwhile must wait. */
const MOST_HELD = 1024 * 1024;

/** Stands in for the listener that takes what is read, while nothing is to be taken. */
export class HeldInput {
  #pieces: (Buffer | string)[] = [];
  #size = 0;
  #isHolding = false;
  #isDropped = false;
  #onEmpty: (() => void) | undefined;

  /** @param take the listener for `data` events, in whose place this one stands; it may call `hold` while it runs */
  constructor(
    private readonly input: Readable,
    private readonly take: (piece: Buffer | string) => void,
  ) {}

  /** From now on what comes is held. */
  hold(): void {
    if (this.#isHolding || this.#isDropped) return;
    this.#isHolding = true;
    this.input.on('data', this.#keep).off('data', this.take);
  }

  /** Hands on what is held, until it is to be held again. */
  release(): void {
    if (!this.#isHolding || this.#isDropped) return;
    this.#isHolding = false;
    this.input.off('data', this.#keep).on('data', this.take);
    while (!this.#isHolding) {
      const piece = this.#pieces.shift();
      if (piece === undefined) break;
      this.#size -= piece.length;
      this.take(piece);
    }
    if (this.#size < MOST_HELD) this.input.resume();
    this.#settle();
  }

  /** Drops the held input, and stops reading. */
  drop(): void {
    this.#isDropped = true;
    this.input.off('data', this.#keep).off('data', this.take);
    this.#pieces = [];
    this.#size = 0;
    this.#settle();
  }

  /** Resolves when nothing is held. */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      this.#settle();
    });
  }

  readonly #keep = (piece: Buffer | string): void => {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size >= MOST_HELD) this.input.pause();
  };

  #settle(): void {
    if (this.#pieces.length === 0) this.#onEmpty?.();
  }
}
