/** What `docs/modules.md` says and shows. */
import {
  createServer,
  defineModule,
  DefinitionError,
  Feature,
  Resource,
  Tool,
  type Access,
  type Guard,
  type Module,
} from '@sigil-mcp/core';
import { connect, matchers } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';

expect.extend(matchers);

class Search {
  @IsString() text!: string;
}

// #region package
export class BookShelf {
  constructor(readonly titles: readonly string[]) {}
}

class WithCard implements Guard {
  allows({ headers }: Access): boolean {
    return headers['x-library-card'] !== undefined;
  }
}

@Feature()
class BooksFeature {
  constructor(private readonly shelf: BookShelf) {}

  @Tool('Finds books by a part of their title', { readOnly: true })
  search({ text }: Search): string {
    return this.shelf.titles.filter((title) => title.includes(text)).join(', ');
  }

  @Resource('books://all', { description: 'Every title' })
  all(): string {
    return this.shelf.titles.join('\n');
  }
}

/** What a package exports: a value, or a function that makes one of what it is told. */
export const booksModule = (titles: readonly string[]): Module =>
  defineModule({
    name: 'books',
    prefix: 'books',
    features: [BooksFeature],
    providers: [{ provide: BookShelf, useValue: new BookShelf(titles) }],
    guards: [WithCard],
  });
// #endregion package

@Feature()
class DeskFeature {
  @Tool('Finds people by a part of their name')
  search({ text }: Search): string {
    return `${text}: nobody`;
  }
}

// #region server
const server = createServer({
  name: 'library',
  version: '1.0.0',
  features: [DeskFeature],
  modules: [booksModule(['Emma', 'Hamlet'])],
});
// #endregion server

it('the server has the tools of both, and the guard holds for those of the module only', async () => {
  const reader = await connect(server, { headers: { 'x-library-card': '7' } });
  expect((await reader.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'books_search']);
  expect(await reader.callTool('books_search', { text: 'Em' })).toHaveText('Emma');
  expect(await reader.readResource('books://all')).toHaveText('Emma\nHamlet');
  await reader.close();
  const stranger = await connect(server);
  expect((await stranger.listTools()).tools.map(({ name }) => name)).toEqual(['search']);
  await stranger.close();
});

it('a provider of the application stands in the place of that of a module', async () => {
  // #region replaced
  const replaced = createServer({
    name: 'library',
    version: '1.0.0',
    modules: [booksModule([])],
    providers: [{ provide: BookShelf, useValue: new BookShelf(['Faust']) }],
  });
  // #endregion replaced
  const client = await connect(replaced, { headers: { 'x-library-card': '7' } });
  expect(await client.callTool('books_search', { text: 'F' })).toHaveText('Faust');
  await client.close();
});

it('a collision names both sides', () => {
  const define = (): unknown =>
    createServer({
      name: 'library',
      version: '1.0.0',
      features: [DeskFeature],
      modules: [defineModule({ name: 'people', features: [DeskFeature] })],
    });
  expect(define).toThrow(DefinitionError);
  expect(define).toThrow(
    'DeskFeature.search (module people): there is already a tool "search", in DeskFeature.search.',
  );
});
