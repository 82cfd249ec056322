/** Real classes on real clients: the built library, whose schemas the official clients compile and hold its answers against. */
import { judges } from './judges';
import type { OfficialClient } from './official-client';

const solaris = { title: 'Solaris', authors: [{ name: 'Stanisław Lem' }], pages: 204, tags: ['novel', 'space'] };

describe.each(judges)('the library, driven by $title', ({ open }) => {
  let client: OfficialClient;

  beforeAll(async () => {
    client = await open('library');
    await client.listTools(); // from now on the client checks structured content against the listed schemas
  });
  afterAll(async () => client.close());

  it('lists mapped classes, sets and unions as schemas that the client can compile [TOOL-006, TOOL-010]', async () => {
    const { tools } = await client.listTools();
    const schemaOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema;
    expect(schemaOf('addBook')).toMatchObject({ required: ['title', 'authors', 'pages'] });
    expect(schemaOf('changeBook')).toMatchObject({
      required: ['id'],
      properties: { tags: { type: 'array', uniqueItems: true }, shelf: { type: ['string', 'null'] } },
    });
    expect(JSON.stringify(schemaOf('lend'))).toMatch(/"anyOf".*"enum":\["home"\].*"enum":\["reading-room"\]/);
  });

  it('keeps a book, changes what is sent, lends and searches, with answers that fit the listed schemas', async () => {
    const added = await client.callTool('addBook', solaris);
    const { id } = (added as { structuredContent: { id: number } }).structuredContent;
    const changed = await client.callTool('changeBook', { id, shelf: 'S1' });
    expect(changed).toMatchObject({ structuredContent: { ...solaris, id, shelf: 'S1', copies: 1 } });
    const terms = { kind: 'home', days: 7 };
    const loan = await client.callTool('lend', { book: id, reader: 'Ada', terms });
    expect(loan).toMatchObject({ structuredContent: { title: 'Solaris', terms } });
    expect(await client.callTool('search', { available: false, tags: ['space'] })).toMatchObject({
      structuredContent: { total: 1, books: [{ id }] },
    });
    expect(await client.callTool('lend', { book: id, reader: 'Bob', terms })).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('All copies of "Solaris" are lent') }],
    });
  });
});
