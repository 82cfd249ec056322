/** What a request is about, as a part of a record. */
import type { EntryFacts } from '@sigil-mcp/core';
import { plainText } from '../text/plain-text';

const LONGEST = 500;

/** Writes entries; each is written once. */
export class EntryTexts {
  readonly #written = new WeakMap<EntryFacts, string>();

  /** The member `entry`. @param alias the old name by which it was called, one that its author wrote down */
  write(entry: EntryFacts, alias: string | undefined): string {
    if (alias !== undefined) return `,"entry":{${membersOf(entry)},"alias":${plainText(alias, LONGEST)}}`;
    const known = this.#written.get(entry);
    if (known !== undefined) return known;
    const text = `,"entry":{${membersOf(entry)}}`;
    this.#written.set(entry, text);
    return text;
  }
}

function membersOf({ kind, key }: EntryFacts): string {
  return `"kind":"${kind}","key":${plainText(key, LONGEST)}`;
}
