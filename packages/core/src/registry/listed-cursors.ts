/**
 * Cursors into the resources that templates list. If an author pages, the author's own cursor is sealed inside ours: the author only
 * gets back cursors that it issued, and no client can read or change them. The list may differ between principals, so a cursor belongs
 * to the principal that received it.
 */
import { Seal } from '../asking/request-states';
import type { Caller } from '../context/caller';
import { ProtocolError } from '@sigil-mcp/protocol';
import type { EntryKind } from '../context/entry-facts';

/**
 * Where a page begins within what templates list.
 *
 * Opaque cursors: they name the place of the last entry of a page, so they stay valid while entries are added and removed.
 */
export interface ListedStart {
  /** The place of the template in its own list. */
  readonly place: number;
  /** How many of the template's resources came before; where the author pages, of those of the author's page. */
  readonly offset: number;
  /**
   * The page of an author who pages: the cursor that the author gave out for it, undefined for the first one, and the template
   * whose list gave it.
   */
  readonly within?: { readonly cursor: string | undefined; readonly template: string } | undefined;
}

const LISTED = 'listed:';

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

/** Writes the cursor of the page after an entry. @param place of the entry in its list */
export function writeCursor(kind: EntryKind, place: number): string {
  return Buffer.from(`${kind}:${place}`).toString('base64url');
}

/**
 * Reads a cursor of this kind of list; throws `invalid-params` for anything that this server did not write.
 * @param places how many places the list ever gave out
 * @returns the place of the entry after which the page begins
 */
export function readCursor(kind: EntryKind, cursor: string, places: number): number {
  const decoded = Buffer.from(cursor, 'base64url').toString();
  const place = Number(decoded.slice(kind.length + 1));
  if (!isPlace(place, places) || writeCursor(kind, place) !== cursor) throw invalidCursor();
  return place;
}

/** Writes the cursor of a page that begins within what templates list. */
export function writeListedCursor({ place, offset }: Pick<ListedStart, 'place' | 'offset'>): string {
  return Buffer.from(`${LISTED}${place}:${offset}`).toString('base64url');
}

/**
 * Reads a cursor into what templates list; throws `invalid-params` for one that this server did not write.
 * @param places how many places the list of templates ever gave out
 * @returns undefined for the cursor of another list
 */
export function readListedCursor(cursor: string, places: number): ListedStart | undefined {
  const decoded = Buffer.from(cursor, 'base64url').toString();
  if (!decoded.startsWith(LISTED)) return undefined;
  const [place = NaN, offset = NaN] = decoded.slice(LISTED.length).split(':').map(Number);
  if (!isStart(place, offset, places) || writeListedCursor({ place, offset }) !== cursor) throw invalidCursor();
  return { place, offset };
}

/** Whether there may be a page that begins there. */
function isStart(place: number, offset: number, places: number): boolean {
  return isPlace(place, places) && offset >= 0 && Number.isSafeInteger(offset);
}

function isPlace(place: number, places: number): boolean {
  return Number.isInteger(place) && place >= 0 && place < places;
}

/** The refusal of a cursor that this server did not write, or that fits nothing any more. */
export function invalidCursor(): ProtocolError {
  return new ProtocolError('invalid-params', 'Invalid cursor. Ask for the first page without one.');
}
