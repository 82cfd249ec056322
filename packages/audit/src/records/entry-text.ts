/** What a request is about, as a part of a record. */
import type { EntryFacts } from '@sigil-mcp/core';
import { plainText } from '../text/plain-text';

const LONGEST = 500;

/** Writes entries; each is written once. */
export class EntryTexts {
  readonly #written = new WeakMap<EntryFacts, string>();

  /** The member `entry`. */
  write(entry: EntryFacts): string {
    const known = this.#written.get(entry);
    if (known !== undefined) return known;
    const text = `,"entry":{"kind":"${entry.kind}","key":${plainText(entry.key, LONGEST)}}`;
    this.#written.set(entry, text);
    return text;
  }
}
