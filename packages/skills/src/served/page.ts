/** Pages of what one caller may see. Cursors name the last item, so that they stay valid while items come and go. */
import { ProtocolError, type MaybePromise } from '@sigil-mcp/core';

/** A list of which one page is read. */
export interface Paged<T> {
  /** In the order of their keys. */
  readonly items: readonly T[];
  /** The name of the list: a cursor of another list is refused. */
  readonly list: string;
  readonly size: number;
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
  const after = cursor === undefined ? '' : readCursor(cursor, paged.list);
  const page: T[] = [];
  for (const item of paged.items) {
    if (paged.keyOf(item) <= after || !(await paged.isVisible(item))) continue;
    const last = page.at(-1);
    if (page.length === paged.size && last !== undefined)
      return { items: page, nextCursor: writeCursor(paged.keyOf(last), paged.list) };
    page.push(item);
  }
  return { items: page };
}

function writeCursor(last: string, list: string): string {
  return Buffer.from(`${list} ${last}`).toString('base64url');
}

function readCursor(cursor: string, list: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const last = text.slice(list.length + 1);
  if (text.startsWith(`${list} skill://`) && writeCursor(last, list) === cursor) return last;
  throw new ProtocolError('invalid-params', 'Invalid cursor. Ask for the first page without one.');
}
