/**
 * Cursors into what templates list. Where an author pages, the author's own cursor travels in ours, sealed: what comes back to the
 * author is what the author gave out, and no client reads or changes it. What one principal is listed is another list than anybody
 * else's, so the cursors into it are the principal's.
 */
import { Seal } from '../asking/seal';
import type { Caller } from '../context/caller';
import { invalidCursor, isStart, readListedCursor, writeListedCursor, type ListedStart } from './cursor';

/** Place and offset; the template with its author's cursor, where the author pages; the principal. */
type SealedStart = [number, number, [string, string | null] | null, string | null];

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
  write({ place, offset, within }: ListedStart, { principal }: Caller): string {
    if (!within && principal === undefined) return writeListedCursor({ place, offset });
    const own = within && [within.template, within.cursor ?? null];
    return this.#sealed.seal(JSON.stringify([place, offset, own ?? null, principal ?? null]));
  }

  /**
   * Reads a cursor; throws `invalid-params` for one that this server did not write, or wrote for somebody else.
   * @param places how many places the list of templates ever gave out
   * @returns undefined for the cursor of another list
   */
  read(cursor: string, places: number, { principal }: Caller): ListedStart | undefined {
    const plain = readListedCursor(cursor, places);
    if (plain && principal !== undefined) throw invalidCursor();
    if (plain) return plain;
    const text = this.#sealed.open(cursor);
    if (text === undefined) return undefined;
    // Nobody else has the secret: it is what `write` wrote, though of an earlier run it may be.
    const [place, offset, own, owner] = JSON.parse(text) as SealedStart;
    if (owner !== (principal ?? null)) throw invalidCursor();
    if (!isStart(place, offset, places)) return undefined;
    return { place, offset, within: own ? { template: own[0], cursor: own[1] ?? undefined } : undefined };
  }

  /** Made when the first cursor needs it: most servers list without. */
  get #sealed(): Seal {
    return (this.#seal ??= new Seal(this.secrets, `sigil cursor 2 ${this.server}`));
  }
}
