/** The tool that adds many books at once: all of them, or none. */
import { Describe, Feature, McpContext, RecordOf, Tool, ToolFailure } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsInt, ValidateNested } from 'class-validator';
import { NewBook } from './book';
import { Catalogue } from './catalogue';

/** The books to import. */
export class Import {
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1000)
  @ValidateNested({ each: true })
  @Type(() => NewBook)
  books!: NewBook[];
}

/** The result of an import. */
export class Imported {
  @IsInt()
  added!: number;

  @Describe('Title -> number in the catalogue')
  @RecordOf(Number)
  ids!: Record<string, number>;
}

/** Built once per server. */
@Feature()
export class ImportTools {
  constructor(private readonly catalogue: Catalogue) {}

  @Tool('Adds up to 1,000 books at once. If one of them cannot be added, none is, and all problems are listed.', {
    output: Imported,
    timeout: 60_000,
  })
  async importBooks({ books }: Import, context: McpContext): Promise<Imported> {
    const problems: string[] = [];
    const seen = new Set<string>();
    for (const [index, { isbn, title }] of books.entries()) {
      // Between two books, other requests are served and a cancellation arrives.
      await context.progress(index, books.length, title);
      context.signal.throwIfAborted();
      if (isbn === undefined) continue;
      if (seen.has(isbn)) problems.push(`books[${index}] "${title}": its ISBN ${isbn} appears twice`);
      else if (this.catalogue.findByIsbn(isbn))
        problems.push(`books[${index}] "${title}": its ISBN ${isbn} is in the catalogue`);
      seen.add(isbn);
    }
    if (problems.length > 0) throw new ToolFailure(`Nothing was imported.\n${problems.join('\n')}`);
    const added = this.catalogue.addAll(books);
    await context.progress(books.length, books.length, 'done');
    return { added: added.length, ids: Object.fromEntries(added.map(({ title, id }) => [title, id])) };
  }
}
