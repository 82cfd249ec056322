/** Results that fit: cut after whole items, continued by a cursor, and read as a resource, on every transport and revision. */
import { createServer, tool } from '@sigil-mcp/core';
import { resultBudgets } from '@sigil-mcp/results';
import type { CallToolResult } from '@sigil-mcp/protocol';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { booksOf, linesOf } from './archive/archive';
import { TRANSPORTS, type Opened } from './transports';
import { revisionsOf } from '../../support/each-revision';

interface Page {
  readonly shelf: string;
  readonly books: readonly { readonly id: number; readonly title: string }[];
  readonly nextCursor?: string;
  readonly total?: number;
  readonly hint?: string;
}

type Result = Pick<CallToolResult, 'content' | 'structuredContent'>;

async function call(client: TestClient, name: string, given: object): Promise<Result> {
  const result = await client.request('tools/call', { name, arguments: { ...given } });
  return result as unknown as Result;
}

/** The texts of a result, one after the other. */
function textsOf({ content }: Result): string[] {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
}

/** What a model reads of it. */
function pageOf(result: Result): Page {
  return JSON.parse(textsOf(result)[0] ?? '') as Page;
}

/** All characters of the content. */
function lengthOf({ content }: Result): number {
  return content.reduce(
    (sum, block) => sum + (block.type === 'text' ? block.text.length : JSON.stringify(block).length),
    0,
  );
}

describe.each(Object.keys(TRANSPORTS))('results over %s', (transport) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await TRANSPORTS[transport]!();
  });
  afterAll(() => opened.close());

  describe.each(revisionsOf())('on %s', (revision) => {
    let client: TestClient;
    beforeAll(async () => {
      client = await connect(opened.target, { revision });
      expect(client.revision).toBe(revision);
    });
    afterAll(() => client.close());

    it('are left as they are if they fit', async () => {
      const result = await call(client, 'list', { count: 3 });
      expect(pageOf(result)).toEqual({ shelf: 'north', books: booksOf(3) });
      expect(result.content).toHaveLength(1);
    });

    it('are cut after whole items, and a cursor gives the others', async () => {
      const seen: unknown[] = [];
      let cursor: string | undefined;
      for (let part = 0; part < 100; part += 1) {
        const result = await call(client, 'list', { count: 200, ...(cursor !== undefined && { cursor }) });
        const page = pageOf(result);
        expect(lengthOf(result)).toBeLessThanOrEqual(2000);
        expect(page).toMatchObject({ shelf: 'north', total: 200 });
        expect(page.hint).toContain(`Items ${seen.length + 1} to ${seen.length + page.books.length} of 200.`);
        if (result.structuredContent !== undefined) expect(result.structuredContent).toEqual(page);
        seen.push(...page.books);
        ({ nextCursor: cursor } = page);
        if (cursor === undefined) break;
      }
      expect(seen).toEqual(booksOf(200));
    });

    it('link to a resource with the rest', async () => {
      const result = await call(client, 'list', { count: 200 });
      const page = pageOf(result);
      const [, uri = ''] = /read (result:\S+)\.$/.exec(page.hint ?? '') ?? [];
      if (revision >= '2025-06-18') expect(result.content[1]).toMatchObject({ type: 'resource_link', uri });
      const { contents } = await client.readResource(uri);
      expect(contents).toMatchObject([{ uri, mimeType: 'application/json' }]);
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(booksOf(200).slice(page.books.length));
    });

    it('may be text, which is cut after a line', async () => {
      let whole = '';
      let cursor: string | undefined;
      do {
        const result = await call(client, 'log', { count: 100, ...(cursor !== undefined && { cursor }) });
        const [text = '', note = ''] = textsOf(result);
        expect(lengthOf(result)).toBeLessThanOrEqual(1000);
        whole += text;
        [, cursor] = /cursor "([^"]+)"/.exec(note) ?? [];
      } while (cursor !== undefined);
      expect(whole).toBe(linesOf(100));
    });

    it('may be files, which become links', async () => {
      const { content } = await call(client, 'export', { count: 100 });
      expect(JSON.stringify(content).length).toBeLessThan(1000);
      const uris = [...JSON.stringify(content).matchAll(/result:\/\/[\w-]+\/0/g)].map(([uri]) => uri);
      expect(uris).toHaveLength(2);
      const [csv, bin] = await Promise.all(uris.map((uri) => client.readResource(uri)));
      expect(csv?.contents).toMatchObject([{ mimeType: 'text/csv', text: linesOf(100) }]);
      expect(bin?.contents).toMatchObject([
        { mimeType: 'application/x-archive', blob: Buffer.alloc(4000, 7).toString('base64') },
      ]);
    });
  });
});

describe('a result that cannot be cut down to its budget', () => {
  const output = {
    type: 'object',
    properties: { story: { type: 'string' }, books: { type: 'array', items: { type: 'string' } } },
    required: ['story', 'books'],
  } as const;
  const warnings: object[] = [];
  let client: TestClient;
  afterEach(() => client.close());
  const tellerOf = (books: string[]): Promise<TestClient> => {
    const silent = (): void => undefined;
    const logger = { debug: silent, info: silent, error: silent, warn: (fields: object) => void warnings.push(fields) };
    const tell = tool('tell', { description: 'Tells a story', output, budget: 1000 }, () => ({
      story: 'x'.repeat(5000),
      books,
    }));
    return connect(createServer({ name: 's', version: '1', logger, features: [tell], extensions: [resultBudgets()] }));
  };
  const words = 'This result is longer than its budget of 1000 characters, and cannot be cut any more.';

  it('says so, and the server once', async () => {
    client = await tellerOf(['a']);
    for (let calls = 0; calls < 2; calls += 1) {
      const result = await call(client, 'tell', {});
      expect(textsOf(result).at(-1)).toBe(words);
      expect(result.structuredContent).toMatchObject({ story: 'x'.repeat(5000), books: ['a'] });
    }
    expect(warnings).toEqual([{ tool: 'tell', budget: 1000 }]);
  });

  it('says so in its other parts as well', async () => {
    client = await tellerOf(['a', 'b']);
    const { nextCursor } = pageOf(await call(client, 'tell', {}));
    const last = await call(client, 'tell', { cursor: nextCursor });
    expect(pageOf(last)).toMatchObject({ books: ['b'], hint: 'Items 2 to 2 of 2. There are no more.' });
    expect(textsOf(last).at(-1)).toBe(words);
  });
});
