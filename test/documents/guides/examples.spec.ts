/** What `docs/how-to/tool-design.md` says about examples. */
import { createServer, Example, Feature, Tool } from '@sigil-mcp/core';
import { Describe } from '@sigil-mcp/schema';
import { eachRevision } from '@sigil-mcp/testing';
import { IsInt, IsOptional, IsString } from 'class-validator';

class BookQuery {
  @Describe('Words of the title') @IsString() title!: string;
  @Describe('The year of the first edition') @IsOptional() @IsInt() year?: number;
}

@Feature()
class Catalogue {
  // #region example
  @Tool('Finds books by words of their title.')
  @Example({ args: { title: 'sense' }, says: 'Finds Sense and Sensibility.' })
  @Example({ args: { title: 'Emma', year: 1815 }, says: 'Finds the first edition alone.' })
  findBook({ title }: BookQuery): string {
    return `${title} is on shelf 3`;
  }
  // #endregion example
}

const server = createServer({ name: 'library', version: '1.0.0', features: [Catalogue], logger: false });
afterAll(() => server.close());

eachRevision('models find examples in the schema', async ({ connect }) => {
  const client = await connect(server);
  const { tools } = await client.listTools();
  expect(tools[0]?.inputSchema).toMatchObject({ examples: [{ title: 'sense' }, { title: 'Emma', year: 1815 }] });
});
