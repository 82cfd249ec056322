/** The library, on every revision. */
import './matchers';
import './quiet';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  RpcError,
  connect,
  eachRevision,
  type CallToolAnswer,
  type ConnectOptions,
  type TestClient,
} from '@sigil-mcp/testing';
import { SampleBooks } from '../src/catalogue/sample-books';
import { libraryServer } from '../src/server';

const emma = {
  title: 'Emma',
  authors: [{ name: 'Jane Austen', born: 1775 }],
  isbn: '9780141439587',
  published: '1815-12-23',
  pages: 474,
  shelf: 'A3',
  tags: ['novel', 'english'],
};
const solaris = { title: 'Solaris', authors: [{ name: 'Stanisław Lem' }], pages: 204, tags: ['novel', 'space'] };

type Arguments = NonNullable<Parameters<TestClient['callTool']>[1]>;
type Connect = (server: ReturnType<typeof libraryServer>, options?: ConnectOptions) => Promise<TestClient>;

/** A library of its own with two books in it. */
async function opened(connect: Connect, options: ConnectOptions = {}): Promise<TestClient> {
  const client = await connect(libraryServer(':memory:'), options);
  await client.callTool('addBook', emma);
  await client.callTool('addBook', solaris);
  return client;
}

/** The message about wrong arguments: a failed tool since 2025-11-25, a protocol error before. */
async function toldBy(call: Promise<CallToolAnswer>): Promise<string> {
  const answer = await call.catch((error: unknown) => error);
  return answer instanceof RpcError ? answer.message : JSON.stringify(answer);
}

eachRevision(
  'answers calls of findBooks, which search has replaced, with the arguments of then',
  async ({ connect }) => {
    const client = await opened(connect);
    const found = await client.callTool('search', { text: 'Emma', tags: ['english'] });
    expect(found).toHaveStructured({ total: 1 });
    expect(await client.callTool('findBooks', { title: 'Emma', tag: 'english' })).toEqual(found);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('findBooks');
  },
);

eachRevision('adds a book, and returns it as it is stored', async ({ connect }) => {
  const client = await opened(connect);
  expect(await client.callTool('getBook', { id: 1 })).toHaveStructured({
    ...emma,
    id: 1,
    published: '1815-12-23T00:00:00.000Z',
    copies: 1,
  });
  const bare = await client.callTool('getBook', { id: 2 });
  expect(bare).toHaveStructured({ id: 2, shelf: null, copies: 1, tags: ['novel', 'space'] });
  expect(bare).not.toHaveText(/isbn|published|born/);
  expect(await client.callTool('addBook', emma)).toBeToolError(/9780141439587 is that of book 1, "Emma"/);
  const told = await toldBy(client.callTool('addBook', { ...emma, isbn: 'x', authors: [{ born: 1 }] }));
  expect(told).toContain('Invalid arguments: authors[0].name: is required; isbn: must be an ISBN');
});

eachRevision('changes what was sent, and nothing else', async ({ connect }) => {
  const client = await opened(connect);
  expect(await client.callTool('changeBook', { id: 1, pages: 480 })).toHaveStructured({
    ...emma,
    pages: 480,
    published: '1815-12-23T00:00:00.000Z',
  });
  expect(await client.callTool('changeBook', { id: 1, shelf: null, tags: [] })).toHaveStructured({
    title: 'Emma',
    shelf: null,
    tags: [],
  });
  expect(await client.callTool('changeBook', { id: 2, isbn: emma.isbn })).toBeToolError(/is that of book 1/);
  expect(await client.callTool('changeBook', { id: 9 })).toBeToolError(/There is no book 9/);
});

eachRevision('finds books by text, tags and availability', async ({ connect }) => {
  const client = await opened(connect);
  const found = async (query: Arguments): Promise<unknown> => {
    const { content } = await client.callTool('search', query);
    return (JSON.parse((content[0] as { text: string }).text) as { books: { title: string }[] }).books.map(
      ({ title }) => title,
    );
  };
  expect(await found({})).toEqual(['Emma', 'Solaris']);
  expect(await found({ text: 'lem' })).toEqual(['Solaris']);
  expect(await found({ text: '%' })).toEqual([]);
  expect(await found({ tags: ['novel', 'space'] })).toEqual(['Solaris']);
  await client.callTool('lend', { book: 1, reader: 'Ada', terms: { kind: 'reading-room', seat: 3 } });
  expect(await found({ available: true })).toEqual(['Solaris']);
  expect(await found({ available: false })).toEqual(['Emma']);
  expect(await client.callTool('search', { limit: 1, offset: 1 })).toHaveStructured({ total: 2, books: [solaris] });
});

eachRevision('lends a book on terms of two kinds, and takes it back', async ({ connect }) => {
  const client = await opened(connect);
  const lend = (terms: Arguments) => client.callTool('lend', { book: 1, reader: 'Ada', terms });
  expect(await toldBy(lend({ kind: 'window' }))).toMatch(/terms\.kind: must be one of.*home.*reading-room/);
  expect(await toldBy(lend({ kind: 'reading-room' }))).toContain('terms.seat: is required');
  expect(await lend({ kind: 'home' })).toHaveStructured({
    id: 1,
    title: 'Emma',
    reader: 'Ada',
    terms: { kind: 'home', days: 28 },
    due: /T23:59:59/,
  });
  expect(await lend({ kind: 'home', days: 1 })).toBeToolError(
    /All copies of "Emma" are lent. The next is due on \d{4}/,
  );
  expect(await client.callTool('overdue')).toHaveStructured({ loans: [] });
  expect(await client.callTool('giveBack', { loan: 1 })).toHaveText('"Emma" is back. Thank you, Ada.');
  expect(await client.callTool('giveBack', { loan: 1 })).toBeToolError(/no open loan 1/);
  expect(await lend({ kind: 'reading-room', seat: 4 })).toHaveStructured({ terms: { kind: 'reading-room', seat: 4 } });
});

eachRevision(
  'deletes a book when the user has confirmed it, and not before',
  async ({ connect }) => {
    for (const [answer, left] of [
      [{ action: 'decline' }, 'stays'],
      [{ action: 'accept', content: { sure: false } }, 'stays'],
      [{ action: 'accept', content: { sure: true } }, 'is no longer'],
    ] as const) {
      const client = await opened(connect, { capabilities: { elicitation: {} }, answers: () => answer });
      // A client that can ask is asked, even if the model says that the user has confirmed.
      expect(await client.callTool('deleteBook', { id: 1, confirmed: true })).toHaveText(new RegExp(`"Emma" ${left}`));
      expect(client.questions).toMatchObject([{ params: { message: 'Delete "Emma" from the catalogue?' } }]);
      expect(await client.callTool('search')).toHaveStructured({ total: left === 'stays' ? 2 : 1 });
    }
  },
  { since: '2025-06-18' },
);

eachRevision('leaves the question to the model if the client cannot ask', async ({ connect }) => {
  const client = await opened(connect);
  expect(await client.callTool('deleteBook', { id: 1 })).toBeToolError(/Ask the user whether "Emma" may be deleted/);
  await client.callTool('lend', { book: 1, reader: 'Ada', terms: { kind: 'home' } });
  expect(await client.callTool('deleteBook', { id: 1, confirmed: true })).toBeToolError(/is lent/);
  await client.callTool('giveBack', { loan: 1 });
  expect(await client.callTool('deleteBook', { id: 1, confirmed: true })).toHaveText(/no longer/);
});

eachRevision('imports many books with progress, all of them or none', async ({ connect }) => {
  const client = await opened(connect);
  const books = Array.from({ length: 30 }, (_, index) => ({ ...solaris, title: `Volume ${index + 1}` }));
  const wrong = [...books, emma, { ...emma, isbn: '9780141439600' }, { ...emma, isbn: '9780141439600' }];
  const refused = await client.callTool('importBooks', { books: wrong });
  expect(refused).toBeToolError(/Nothing was imported/);
  expect(refused).toHaveText(/books\[30\] "Emma": its ISBN 9780141439587 is in the catalogue/);
  expect(refused).toHaveText(/books\[32\] "Emma": its ISBN 9780141439600 appears twice/);
  expect(await client.callTool('search')).toHaveStructured({ total: 2 });
  const steps: number[] = [];
  const result = await client.callTool(
    'importBooks',
    { books },
    { onProgress: ({ progress }) => steps.push(progress) },
  );
  expect(result).toHaveStructured({ added: 30, ids: { 'Volume 1': 3, 'Volume 30': 32 } });
  expect(steps.at(-1)).toBe(30);
  expect(await client.callTool('search')).toHaveStructured({ total: 32 });
});

eachRevision('shows books and authors as resources, completes names, and reports changes', async ({ connect }) => {
  const client = await opened(connect);
  await expect(client).toListResource('library://books/1', { name: 'Emma' });
  expect(await client.readResource('library://books/2')).toHaveText(/"title":"Solaris".*"available":1/);
  expect(await client.readResource('library://authors/jane%20austen')).toHaveText(/"born":1775.*"Emma"/);
  await expect(client.readResource('library://books/7')).rejects.toBeRpcError(undefined, 'There is no book 7');
  const { completion } = await client.complete({ template: 'library://authors/{name}' }, 'name', 'le');
  expect(completion.values).toEqual(['Stanisław Lem']);
  await client.subscribe('library://books/1');
  await client.callTool('changeBook', { id: 1, pages: 1 });
  await client.waitForNotification('notifications/resources/updated');
});

eachRevision('recommends by what a reader has borrowed', async ({ connect }) => {
  const client = await opened(connect);
  expect(await client.getPrompt('recommend', { reader: 'Ada' })).toHaveMessages(/not borrowed anything/);
  await client.callTool('lend', { book: 2, reader: 'Ada', terms: { kind: 'home' } });
  expect(await client.getPrompt('recommend', { reader: 'ada' })).toHaveMessages(/They have read: Solaris\./);
  const { completion } = await client.complete({ prompt: 'recommend' }, 'reader', 'A');
  expect(completion.values).toEqual(['Ada']);
});

it('reads the data of an earlier run from its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-'));
  const file = join(folder, 'library.db');
  for (const expected of [1, 2]) {
    const server = libraryServer(file);
    const client = await connect(server);
    await client.callTool('addBook', solaris);
    expect(await client.callTool('search')).toHaveStructured({ total: expected });
    await client.close();
    await server.close();
  }
  expect(existsSync(`${file}.lock`)).toBe(false);
  rmSync(folder, { recursive: true });
});

eachRevision('has books to find when it is new, and leaves the books of a library alone', async ({ connect }) => {
  const client = await connect(libraryServer(':memory:', [SampleBooks]));
  expect(await client.callTool('search', {})).toHaveStructured({ total: 5 });
  const folder = mkdtempSync(join(tmpdir(), 'sigil-library-'));
  try {
    const path = join(folder, 'books.db');
    const first = await connect(libraryServer(path));
    await first.callTool('addBook', emma);
    await first.close();
    const second = await connect(libraryServer(path, [SampleBooks]));
    expect(await second.callTool('search', {})).toHaveStructured({ total: 1 });
    await second.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
