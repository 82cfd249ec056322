/** A stream that keeps the text that is written to it. */
import { Writable } from 'node:stream';

/** All that was written is in `text`. */
export class CapturedText extends Writable {
  text = '';

  /** @param isTTY whether a command takes it for a terminal, of `columns` cells @param onText called with all text whenever there is more */
  constructor(
    readonly isTTY = false,
    readonly columns = 80,
    private readonly onText?: (text: string) => void,
  ) {
    super({ decodeStrings: false });
  }

  override _write(chunk: string | Buffer, _: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    this.onText?.(this.text);
    done();
  }
}
