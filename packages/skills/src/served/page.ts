/**
 * Pages of what one caller may see. Cursors name the last item, so that they stay valid while items come and go; sealed, so that only those
 * that were issued are accepted, and nobody reads in them what another caller sees.
 */
import { ProtocolError, type ExtensionServices, type MaybePromise } from '@sigil-mcp/core';

/** What cursors are sealed with. */
export type CursorSealer = Pick<ExtensionServices, 'seal'>;

/** A list of which one page is read. */
export interface Paged<T> {
  /** In the order of their keys. */
  readonly items: readonly T[];
  /** The name of the list: a cursor of another list is refused. */
  readonly list: string;
  readonly size: number;
  readonly sealer: CursorSealer;
  keyOf(item: T): string;
  /** Whether the caller may see it. */
  isVisible(item: T): MaybePromise<boolean>;
}

/** A page. */
export interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** Reads the page after a cursor, or the first. @throws ProtocolError for a cursor that no server wrote for this list */
export async function readPage<T>(paged: Paged<T>, cursor: string | undefined): Promise<PageOf<T>> {
  const after = cursor === undefined ? '' : readCursor(cursor, paged);
  const page: T[] = [];
  for (const item of paged.items) {
    if (paged.keyOf(item) <= after || !(await paged.isVisible(item))) continue;
    const last = page.at(-1);
    if (page.length === paged.size && last !== undefined)
      return { items: page, nextCursor: writeCursor(paged.keyOf(last), paged) };
    page.push(item);
  }
  return { items: page };
}

type List = Pick<Paged<unknown>, 'list' | 'sealer'>;

/** One for all lists: a cursor says which one it is of. */
const PURPOSE = 'cursors of skills';

function writeCursor(last: string, { list, sealer }: List): string {
  return sealer.seal(PURPOSE).seal(`${list} ${last}`);
}

function readCursor(cursor: string, { list, sealer }: List): string {
  const text = sealer.seal(PURPOSE).open(cursor);
  if (text?.startsWith(`${list} `)) return text.slice(list.length + 1);
  throw new ProtocolError('invalid-params', 'Invalid cursor. Ask for the first page without one.');
}
