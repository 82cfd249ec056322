/** The resources: books and authors, for an application to attach to a conversation. */
import { Complete, Describe, Feature, ListTemplate, ProtocolError, Resource } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';
import { Author, Book, BookId } from './book';
import { Catalogue } from './catalogue';

/** The variable of the template of authors. */
export class AuthorName {
  @Describe('Name as on the cover')
  @IsString()
  @Length(1, 120)
  name!: string;
}

/** Built once per server. */
@Feature()
export class CatalogueResources {
  constructor(private readonly catalogue: Catalogue) {}

  @Resource('library://books/{id}', {
    title: 'A book',
    description: 'Everything that the catalogue knows about a book, and how many copies are available',
    mimeType: 'application/json',
  })
  book({ id }: BookId): object {
    const book = this.catalogue.find(id);
    const uri = `library://books/${id}`;
    if (!book) throw new ProtocolError('resource-not-found', `There is no book ${id}.`, { uri });
    return { ...book, available: this.catalogue.available(id) };
  }

  @ListTemplate('book')
  books(): { variables: { id: string }; name: string }[] {
    const { books } = this.catalogue.search({}, 100, 0);
    return books.map(({ id, title }) => ({ variables: { id: String(id) }, name: title }));
  }

  @Resource('library://authors/{name}', {
    title: 'An author',
    description: 'The books of an author, the oldest first',
    mimeType: 'application/json',
  })
  author({ name }: AuthorName): { author: Author; books: Book[] } {
    const books = this.catalogue.writtenBy(name);
    const author = books
      .flatMap(({ authors }) => authors)
      .find((each) => each.name.toLowerCase() === name.toLowerCase());
    if (author) return { author, books };
    const uri = `library://authors/${encodeURIComponent(name)}`;
    throw new ProtocolError('resource-not-found', `There is no book by ${name}.`, { uri });
  }

  @Complete('name', 'author')
  authorsLike(typed: string): string[] {
    return this.catalogue.authorsLike(typed);
  }
}
