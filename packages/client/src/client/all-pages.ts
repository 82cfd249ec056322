/** Reads a list page by page, to its end. */
import { clientError } from '../errors';

/** A page, and the cursor of the next one. */
export interface CursorPage {
  readonly nextCursor?: string;
}

/** Pages that a list may have: more than any client can use. */
const MOST_PAGES = 1000;

/**
 * All pages of a list, one after the other.
 * @throws SigilError `SIGIL_CLIENT_PAGES` for a list that does not end
 */
export async function* allPages<P extends CursorPage>(
  method: string,
  readPage: (params: { readonly cursor?: string }) => Promise<P>,
): AsyncGenerator<P> {
  const seen = new Set<string>();
  let page = await readPage({});
  for (;;) {
    yield page;
    const { nextCursor: cursor } = page;
    if (cursor === undefined) return;
    if (seen.has(cursor)) throw clientError('SIGIL_CLIENT_PAGES', { method, reason: 'the same cursor twice' });
    seen.add(cursor);
    if (seen.size >= MOST_PAGES)
      throw clientError('SIGIL_CLIENT_PAGES', { method, reason: `more than ${MOST_PAGES} pages` });
    page = await readPage({ cursor });
  }
}

/** The items of all pages. */
export async function itemsOf<P, Item>(
  pages: AsyncGenerator<P>,
  listed: (page: P) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of pages) items.push(...listed(page));
  return items;
}
