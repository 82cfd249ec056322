/**
 * Cursors into what templates list. Where an author pages, the author's own cursor travels in ours, sealed: what comes back to the
 * author is what the author gave out, and no client reads or changes it.
 */
import { Seal } from '../asking/seal';
import { isStart, readListedCursor, writeListedCursor, type ListedStart } from './cursor';

/** Writes and reads the cursors of one server. */
export class ListedCursors {
  #seal: Seal | undefined;

  /**
   * @param secrets of the server: the first seals, all of them open
   * @param server its name: another one does not open its cursors, though it has the same secret
   */
  constructor(
    private readonly secrets: readonly string[],
    private readonly server: string,
  ) {}

  /** Writes the cursor of a page that begins there. */
  write({ place, offset, within }: ListedStart): string {
    if (!within) return writeListedCursor({ place, offset });
    return this.#sealed.seal(JSON.stringify([place, offset, within.template, within.cursor ?? null]));
  }

  /**
   * Reads a cursor; throws `invalid-params` for one that this server did not write.
   * @param places how many places the list of templates ever gave out
   * @returns undefined for the cursor of another list
   */
  read(cursor: string, places: number): ListedStart | undefined {
    const plain = readListedCursor(cursor, places);
    if (plain) return plain;
    const text = this.#sealed.open(cursor);
    if (text === undefined) return undefined;
    // Nobody else has the secret: it is what `write` wrote, though of an earlier run it may be.
    const [place, offset, template, own] = JSON.parse(text) as [number, number, string, string | null];
    return isStart(place, offset, places)
      ? { place, offset, within: { cursor: own ?? undefined, template } }
      : undefined;
  }

  /** Made when the first cursor needs it: most servers list without. */
  get #sealed(): Seal {
    return (this.#seal ??= new Seal(this.secrets, `sigil cursor 1 ${this.server}`));
  }
}
