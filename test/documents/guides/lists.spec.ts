/** What `docs/changes.md` shows of lists that are asked for pages. */
import { createServer, Feature, ListTemplate, PageRequest, Resource, type ListedResources } from '@sigil-mcp/core';
import { eachRevision } from '@sigil-mcp/testing';
import { IsInt } from 'class-validator';

class BookId {
  @IsInt() id!: number;
}

interface Row {
  readonly id: number;
  readonly title: string;
}

const db = {
  select: async (_sql: string, [after, limit]: readonly [number, number]): Promise<Row[]> =>
    Array.from({ length: Math.min(limit, 7 - after) }, (_, index) => ({ id: after + index + 1, title: 'A book' })),
};

@Feature()
class BooksFeature {
  @Resource('books://{id}')
  book({ id }: BookId): string {
    return `Book ${id}`;
  }

  // #region pages
  @ListTemplate('book')
  async books({ cursor, limit }: PageRequest): Promise<ListedResources> {
    const rows = await db.select('... WHERE id > ? ORDER BY id LIMIT ?', [Number(cursor ?? 0), limit]);
    const last = rows.at(-1);
    return {
      resources: rows.map(({ id, title }) => ({ variables: { id }, name: title })),
      nextCursor: last && rows.length === limit ? String(last.id) : undefined,
    };
  }
  // #endregion pages
}

eachRevision('a table is listed page by page', async ({ connect }) => {
  const client = await connect(createServer({ name: 'x', version: '1', features: [BooksFeature], pageSize: 3 }));
  const sizes: number[] = [];
  let cursor: string | undefined;
  do {
    const page: { resources: readonly unknown[]; nextCursor?: string } = await client.listResources({ cursor });
    sizes.push(page.resources.length);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(sizes).toEqual([3, 3, 1]);
});
