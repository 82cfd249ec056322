/** Books for a library that has none, so that there is something to find when it is tried. */
import { Injectable, type OnStart } from '@sigil-mcp/core';
import { Author, NewBook } from './book';
import { Catalogue } from './catalogue';

const BOOKS = [
  book('Emma', ['Jane Austen', 1775], {
    isbn: '9780141439587',
    published: '1815-12-23',
    pages: 474,
    shelf: 'A3',
    tags: ['novel', 'english'],
  }),
  book('Moby-Dick', ['Herman Melville', 1819], {
    published: '1851-10-18',
    pages: 635,
    shelf: 'M1',
    tags: ['novel', 'sea'],
  }),
  book('Solaris', ['Stanisław Lem', 1921], { published: '1961-01-01', pages: 204, tags: ['novel', 'space'] }),
  book('The Left Hand of Darkness', ['Ursula K. Le Guin', 1929], {
    published: '1969-03-01',
    pages: 304,
    shelf: 'L2',
    tags: ['novel', 'space'],
  }),
  book('The Sea Around Us', ['Rachel Carson', 1907], {
    published: '1951-07-02',
    pages: 278,
    shelf: 'C1',
    copies: 2,
    tags: ['science', 'sea'],
  }),
];

/** Fills an empty catalogue when the server starts. */
@Injectable()
export class SampleBooks implements OnStart {
  constructor(private readonly catalogue: Catalogue) {}

  onStart(): void {
    if (this.catalogue.search({}, 1, 0).total === 0) this.catalogue.addAll(BOOKS);
  }
}

interface Facts {
  readonly isbn?: string;
  readonly published: string;
  readonly pages: number;
  readonly shelf?: string;
  readonly copies?: number;
  readonly tags: readonly string[];
}

function book(title: string, [name, born]: [string, number], { published, tags, ...facts }: Facts): NewBook {
  const authors = [Object.assign(new Author(), { name, born })];
  return Object.assign(new NewBook(), facts, { title, authors, published: new Date(published), tags: new Set(tags) });
}
