/** The books, as rows of the database. */
import { Injectable } from '@sigil-mcp/core';
import { Database, type Column, type Row } from '../storage/database';
import { Author, Book, type BookChanges, type NewBook } from './book';

/** A search; fields that are left out match every book. */
export interface Wanted {
  /** Part of a title or of an author's name. */
  readonly text?: string | undefined;
  /** A book has to have all of them. */
  readonly tags?: ReadonlySet<string> | undefined;
  /** Only books with an available copy. */
  readonly available?: boolean | undefined;
}

/** A part of the books that were found. */
export interface Page {
  readonly books: Book[];
  /** The number of books that were found. */
  readonly total: number;
}

const LENT = '(SELECT COUNT(*) FROM loans WHERE book = books.id AND returned IS NULL)';

/** Built once per server, and given to every feature that asks for it. */
@Injectable()
export class Catalogue {
  constructor(private readonly database: Database) {}

  /** Adds a book. @throws Error if its ISBN is known already */
  add(book: NewBook): Book {
    return this.database.transaction(() => this.#insert(book));
  }

  /** Adds all of them, or none. */
  addAll(books: readonly NewBook[]): Book[] {
    return this.database.transaction(() => books.map((book) => this.#insert(book)));
  }

  find(id: number): Book | undefined {
    const row = this.database.get('SELECT * FROM books WHERE id = ?', [id]);
    return row && this.#bookOf(row);
  }

  findByIsbn(isbn: string): Book | undefined {
    const row = this.database.get('SELECT * FROM books WHERE isbn = ?', [isbn]);
    return row && this.#bookOf(row);
  }

  /** Changes the fields that were sent, and leaves the others. */
  change({ id, ...changes }: BookChanges): Book | undefined {
    return this.database.transaction(() => {
      const book = this.find(id);
      if (!book) return undefined;
      this.#update(Object.assign(book, changes));
      return this.find(id);
    });
  }

  /** Removes a book from the catalogue, with all of its loans. */
  remove(id: number): void {
    this.database.transaction(() => {
      this.database.run('DELETE FROM loans WHERE book = ?', [id]);
      this.database.run('DELETE FROM books WHERE id = ?', [id]);
    });
  }

  search({ text, tags, available }: Wanted, limit: number, offset: number): Page {
    const conditions: string[] = ['1 = 1'];
    const values: Column[] = [];
    if (text !== undefined) {
      conditions.push(
        `(title LIKE ? ESCAPE '!' OR EXISTS (SELECT 1 FROM authors WHERE book = books.id AND name LIKE ? ESCAPE '!'))`,
      );
      values.push(anywhere(text), anywhere(text));
    }
    for (const tag of tags ?? []) {
      conditions.push('EXISTS (SELECT 1 FROM json_each(books.tags) WHERE value = ?)');
      values.push(tag);
    }
    if (available !== undefined) conditions.push(`${available ? '' : 'NOT '}copies > ${LENT}`);
    const where = conditions.join(' AND ');
    const total = Number(this.database.get(`SELECT COUNT(*) AS total FROM books WHERE ${where}`, values)?.['total']);
    const rows = this.database.all(`SELECT * FROM books WHERE ${where} ORDER BY title, id LIMIT ? OFFSET ?`, [
      ...values,
      limit,
      offset,
    ]);
    return { total, books: rows.map((row) => this.#bookOf(row)) };
  }

  /** The number of copies that are not lent. */
  available(id: number): number {
    return Number(this.database.get(`SELECT copies - ${LENT} AS free FROM books WHERE id = ?`, [id])?.['free'] ?? 0);
  }

  /** Names of authors for completion. */
  authorsLike(typed: string): string[] {
    const rows = this.database.all(
      `SELECT DISTINCT name FROM authors WHERE name LIKE ? ESCAPE '!' ORDER BY name LIMIT 100`,
      [anywhere(typed)],
    );
    return rows.map(({ name }) => String(name));
  }

  /** The books of an author, the oldest first; empty for an unknown name. */
  writtenBy(name: string): Book[] {
    const rows = this.database.all(
      'SELECT * FROM books WHERE id IN (SELECT book FROM authors WHERE name = ?) ORDER BY published, id',
      [name],
    );
    return rows.map((row) => this.#bookOf(row));
  }

  #insert(book: NewBook): Book {
    const names = 'title, isbn, published, pages, shelf, copies, tags';
    const id = this.database.run(`INSERT INTO books (${names}) VALUES (?, ?, ?, ?, ?, ?, ?)`, columnsOf(book));
    this.#writeAuthors(id, book.authors);
    return Object.assign(new Book(), book, { id });
  }

  #update(book: Book): void {
    const names = ['title', 'isbn', 'published', 'pages', 'shelf', 'copies', 'tags'];
    const assignments = names.map((name) => `${name} = ?`).join(', ');
    this.database.run(`UPDATE books SET ${assignments} WHERE id = ?`, [...columnsOf(book), book.id]);
    this.database.run('DELETE FROM authors WHERE book = ?', [book.id]);
    this.#writeAuthors(book.id, book.authors);
  }

  #writeAuthors(book: number, authors: readonly Author[]): void {
    for (const [place, { name, born = null }] of authors.entries())
      this.database.run('INSERT INTO authors VALUES (?, ?, ?, ?)', [book, place, name, born]);
  }

  #bookOf(row: Row): Book {
    const authors = this.database.all('SELECT name, born FROM authors WHERE book = ? ORDER BY place', [
      row['id'] ?? null,
    ]);
    const { isbn, published } = row;
    return Object.assign(new Book(), {
      id: Number(row['id']),
      title: String(row['title']),
      authors: authors.map(({ name, born }) =>
        Object.assign(new Author(), { name: String(name) }, born !== null && { born: Number(born) }),
      ),
      pages: Number(row['pages']),
      shelf: row['shelf'],
      copies: Number(row['copies']),
      tags: new Set(JSON.parse(String(row['tags'])) as string[]),
      ...(isbn !== null && { isbn: String(isbn) }),
      ...(published !== null && { published: new Date(String(published)) }),
    });
  }
}

function columnsOf({ title, isbn, published, pages, shelf, copies, tags }: NewBook): Column[] {
  const day = published?.toISOString().slice(0, 10) ?? null;
  return [title, isbn ?? null, day, pages, shelf, copies, JSON.stringify([...tags])];
}

/** A pattern for LIKE: matches the text anywhere, with its wildcards as plain characters. */
function anywhere(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`;
}
