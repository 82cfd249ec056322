// The smallest useful server; the example of the README.
// #region quickstart
import '@sigil-mcp/core/stdio/guard';
import { createServer, Describe, Feature, Tool } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { IsInt, IsString, Length, Max } from 'class-validator';

const titles = ['Emma', 'Dracula', 'Middlemarch', 'Moby-Dick'];

class Search {
  @Describe('Words from the title') @IsString() @Length(1, 60) words!: string;
  @Describe('How many to return') @IsInt() @Max(20) limit: number = 5; // the default, also in the schema
}

class Found {
  @IsString({ each: true }) titles!: string[];
}

@Feature()
class LibraryFeature {
  @Tool('Finds books by their title', { output: Found, readOnly: true })
  findBooks({ words, limit }: Search): Found {
    return { titles: titles.filter((title) => title.includes(words)).slice(0, limit) };
  }
}

const server = createServer({ name: 'library', version: '1.0.0', features: [LibraryFeature] });
void server.listen(new StdioTransport());
// #endregion quickstart
