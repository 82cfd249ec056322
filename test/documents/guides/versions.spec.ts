/** What `docs/versions.md` says about tools that change. */
import { createServer, Feature, Tool } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';

expect.extend(matchers);

class BookQuery {
  @IsString() title!: string;
}

// #region rename
interface OldSearch {
  text: string;
}

@Feature()
class Catalogue {
  @Tool('Finds a book by its title', {
    since: '1.2.0',
    replaces: ['lookUp', { name: 'searchBook', arguments: ({ text }: OldSearch) => ({ title: text }) }],
  })
  findBook({ title }: BookQuery): string {
    return `${title} is on shelf 3`;
  }

  @Tool('Lists all books', { deprecated: 'Use findBook.' })
  listBooks(): string {
    return 'Emma, Persuasion';
  }
}
// #endregion rename

const server = createServer({ name: 'library', version: '1.2.0', features: [Catalogue], logger: false });
afterAll(() => server.close());

eachRevision('old names are callable and not listed', async ({ connect }) => {
  const client = await connect(server);
  // #region call
  expect(await client.callTool('searchBook', { text: 'Emma' })).toHaveText('Emma is on shelf 3');
  // #endregion call
  expect(await client.callTool('lookUp', { title: 'Emma' })).toHaveText('Emma is on shelf 3');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(['findBook', 'listBooks']);
  expect(tools[1]?.description).toBe('Lists all books\n\nDeprecated: Use findBook.');
});
