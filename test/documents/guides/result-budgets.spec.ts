/** What `docs/result-budgets.md` says and shows. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { resultBudgets } from '@sigil-mcp/results';
import { connect } from '@sigil-mcp/testing';
import { Type } from 'class-transformer';
import { IsArray, IsString, ValidateNested } from 'class-validator';

class Book {
  @IsString() title!: string;
}

// #region feature
class Books {
  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => Book)
  books!: Book[];
}

@Feature()
class BookFeature {
  @Tool('Lists all books of the library', { output: Books, budget: 8_000, readOnly: true })
  list(): Books {
    return { books: everyBook() };
  }
}

const server = createServer({
  name: 'library',
  version: '1.0.0',
  features: [BookFeature],
  extensions: [resultBudgets()],
});
// #endregion feature

// #region redis
import type { RedisClient } from '@sigil-mcp/redis';
import { redisResults } from '@sigil-mcp/results/redis';

const shared = (client: RedisClient) => resultBudgets({ store: redisResults(client) });
// #endregion redis

/** What a model reads, as the page shows it. */
const CUT = readFileSync(join(__dirname, 'result-budgets', 'cut.txt'), 'utf8');

function everyBook(): Book[] {
  return Array.from({ length: 1200 }, (_, number) => ({ title: `Book ${number}` }));
}

afterAll(() => server.close());

it('is cut as the page shows', async () => {
  const client = await connect(server);
  const { structuredContent } = (await client.request('tools/call', { name: 'list', arguments: {} })) as unknown as {
    structuredContent: { books: Book[]; nextCursor: string; total: number; hint: string };
  };
  const { books, nextCursor, total, hint } = structuredContent;
  const shown = CUT.replaceAll('rCbGeql3yGJBV9TWax5t6w', nextCursor.split('.')[0] ?? '');
  expect(total).toBe(1200);
  expect(shown).toContain(`"nextCursor": ${JSON.stringify(nextCursor)}`);
  expect(shown).toContain(`"hint": ${JSON.stringify(hint)}`);
  expect(shown).toContain(`{ "title": "${books.at(-1)?.title}" }]`);
  await client.close();
});

it('has a store for several instances', () => {
  expect(shared).toBeInstanceOf(Function);
});
