/** The tools of the catalogue: create, read, change, delete and search. */
import { Example, Feature, McpContext, Server, Title, Tool, ToolFailure } from '@sigil-mcp/core';
import { IsBoolean } from 'class-validator';
import { Loans } from '../loans/loans';
import { Book, BookChanges, BookId, NewBook } from './book';
import { Catalogue } from './catalogue';
import { Deletion } from './deletion';
import { SearchQuery, SearchResult } from './search';

/** The question to the user before a book is deleted. */
export class ConfirmDeletion {
  @Title('Delete it and its history')
  @IsBoolean()
  sure: boolean = false;
}

/** What the tool findBooks took, which search has replaced. */
interface OldSearch {
  readonly title?: string;
  readonly tag?: string;
}

/** Built once per server. */
@Feature()
export class CatalogueTools {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly loans: Loans,
    private readonly server: Server,
  ) {}

  @Tool('Adds a book to the catalogue and returns it with its number.', { output: Book })
  addBook(book: NewBook): Book {
    this.#refuseKnownIsbn(book.isbn);
    return this.catalogue.add(book);
  }

  @Tool('Returns a book by its number, with its shelf and its copies.', { output: Book, readOnly: true })
  getBook({ id }: BookId): Book {
    return this.#get(id);
  }

  @Tool('Changes a book. Fields that are left out stay as they are; a shelf of null takes the book off its shelf.', {
    output: Book,
    idempotent: true,
  })
  changeBook(changes: BookChanges): Book {
    const { isbn } = this.#get(changes.id);
    if (changes.isbn !== isbn) this.#refuseKnownIsbn(changes.isbn);
    const book = this.catalogue.change(changes) ?? this.#get(changes.id);
    this.#changed(book.id);
    return book;
  }

  @Tool('Deletes a book and the history of its loans, after the user has confirmed it.', {
    destructive: true,
    asks: [ConfirmDeletion],
  })
  async deleteBook({ id, confirmed }: Deletion, context: McpContext): Promise<string> {
    const book = this.#get(id);
    if (this.loans.open(id).length > 0) throw new ToolFailure(`"${book.title}" is lent. It has to be returned first.`);
    if (context.client.capabilities.elicitation) {
      const answer = await context.elicit(ConfirmDeletion, `Delete "${book.title}" from the catalogue?`);
      if (answer.action !== 'accept' || !answer.content.sure) return `"${book.title}" stays.`;
    } else if (!confirmed) {
      throw new ToolFailure(
        `Ask the user whether "${book.title}" may be deleted, then call again with "confirmed": true.`,
      );
    }
    this.catalogue.remove(id);
    this.#changed(id);
    return `"${book.title}" is no longer in the catalogue.`;
  }

  @Tool('Finds books by text, tags, and availability.', {
    output: SearchResult,
    readOnly: true,
    replaces: [{ name: 'findBooks', arguments: ({ title, tag }: OldSearch) => ({ text: title, tags: tag && [tag] }) }],
  })
  @Example({ args: { tags: ['sea'], available: true }, says: 'Finds books about the sea that can be lent now.' })
  search({ text, tags, available, limit, offset }: SearchQuery): SearchResult {
    return this.catalogue.search({ text, tags, available }, limit, offset);
  }

  #get(id: number): Book {
    const book = this.catalogue.find(id);
    if (!book) throw new ToolFailure(`There is no book ${id}. Look for its number with the tool search.`);
    return book;
  }

  #refuseKnownIsbn(isbn: string | undefined): void {
    const known = isbn === undefined ? undefined : this.catalogue.findByIsbn(isbn);
    if (known) throw new ToolFailure(`The ISBN ${isbn} is that of book ${known.id}, "${known.title}".`);
  }

  #changed(id: number): void {
    this.server.notifyResourceChanged(`library://books/${id}`);
  }
}
