/** The text of a result that is the same for every caller, such as a list. */

/** Kept as text, and once somebody wants them, as bytes: encoding a long list costs more than looking it up. */
export class KeptText {
  #bytes: Buffer | undefined;

  constructor(readonly text: string) {}

  /** The UTF-8 of the text between two others. */
  bytesBetween(before: string, after: string): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return Buffer.concat([Buffer.from(before), this.#bytes, Buffer.from(after)]);
  }
}
