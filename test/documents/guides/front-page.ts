// What the front page of the site shows.
// #region class
import { createServer, Describe, Feature, Tool } from '@sigil-mcp/core';
import { IsInt, IsString, Length, Max } from 'class-validator';

class Search {
  @Describe('Words from the title') @IsString() @Length(1, 60) words!: string;
  @Describe('How many to return') @IsInt() @Max(20) limit: number = 5;
}

@Feature()
class LibraryFeature {
  @Tool('Finds books by their title', { readOnly: true })
  findBooks({ words, limit }: Search): string[] {
    return titles.filter((title) => title.includes(words)).slice(0, limit);
  }
}

export const server = createServer({
  name: 'library',
  version: '1.0.0',
  features: [LibraryFeature],
});
// #endregion class

const titles = ['Emma', 'Dracula', 'Middlemarch', 'Moby-Dick'];
