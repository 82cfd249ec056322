/**
 * Cursors into the resources that templates list. If an author pages, the author's own cursor is sealed inside ours: the author only
 * gets back cursors that it issued, and no client can read or change them. The list may differ between principals, so a cursor belongs
 * to the principal that received it.
 */
import { Seal } from '../asking/seal';
import type { Caller } from '../context/caller';
import { invalidCursor, isStart, readListedCursor, writeListedCursor, type ListedStart } from './cursor';

/** Place and offset; the template with its author's cursor, if the author pages; the principal. */
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
   * Reads a cursor; throws `invalid-params` for one that this server did not write, or wrote for another caller.
   * @param places how many places the list of templates has ever assigned
   * @returns undefined for a cursor of another list
   */
  read(cursor: string, places: number, { principal }: Caller): ListedStart | undefined {
    const plain = readListedCursor(cursor, places);
    if (plain && principal !== undefined) throw invalidCursor();
    if (plain) return plain;
    const text = this.#sealed.open(cursor);
    if (text === undefined) return undefined;
    // Only this server has the secret: the text comes from `write`, perhaps of an earlier run.
    const [place, offset, own, owner] = JSON.parse(text) as SealedStart;
    if (owner !== (principal ?? null)) throw invalidCursor();
    if (!isStart(place, offset, places)) return undefined;
    return { place, offset, within: own ? { template: own[0], cursor: own[1] ?? undefined } : undefined };
  }

  /** Made for the first cursor that needs it: most servers never need one. */
  get #sealed(): Seal {
    return (this.#seal ??= new Seal(this.secrets, `sigil cursor 2 ${this.server}`));
  }
}
