/** Clients whose types come from the server: what they send arrives, and what arrives has the type that was promised. */
import { createClient, RpcError, type EntryTypes, type HandlersFor } from '@sigil-mcp/client';
import { MemoryTransport, resource, type ApiOf, type McpContext, type OnWire } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { createClient as createTestClient } from '@sigil-mcp/testing';
import { Confirm, server, type Api, type AskingFeature, type Book } from './bookshop';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(): T | undefined => undefined;

const onElicit = () => ({ action: 'accept', content: { sure: true } }) as const;

describe.each(ALL_REVISIONS.map(({ version }) => version))('on revision %s', (revision) => {
  it('call every kind of entry, and receive its data [TOOL-001] [PROMPT-001]', async () => {
    const memory = new MemoryTransport();
    const running = server.override([]);
    await running.listen(memory);
    const client = await createClient<Api>({ memory }, { revision, onElicit });
    try {
      const added = await client.tools.addBook({ title: 'Emma', pages: 400, since: '2026-05-01T00:00:00.000Z' });
      expect(added).toMatchObject({ isError: false, data: { title: 'Emma', since: '2026-05-01T00:00:00.000Z' } });
      const counted = await client.tools.count();
      expect([counted.text, counted.data]).toEqual(['1 books', undefined]);
      const found = await client.tools.shop_search({ text: 'Emma' });
      expect(found.isError ? [] : found.data.found).toEqual(['Emma', 'Emma']);
      const { messages } = await client.prompts.several({ count: 2 });
      expect(messages[0]?.content).toMatchObject({ text: 'Recommend 3 books.' });
      expect((await client.prompts.shop_review({ title: 'Emma' })).messages).toHaveLength(1);
      expect((await client.resources.shelf({ genre: 'sad & old' })).data).toEqual({
        genre: 'sad & old',
        books: ['Emma'],
      });
      expect(await client.resources.motto()).toMatchObject({
        uri: 'books://motto',
        text: 'Read more.',
        data: undefined,
      });
      const one = await client.resources['books://pages/{title}{?number}']({ title: 'Emma', number: '7' });
      expect([one.uri, one.data]).toEqual(['books://pages/Emma?number=7', { title: 'Emma', number: '7' }]);
    } finally {
      await client.close();
      await running.close();
    }
  });

  it('are told what went wrong: by a tool as an answer, by the protocol as an error [TOOL-015]', async () => {
    const client = await createTestClient(server, { revision });
    const failed = await client.tools.addBook({ title: 'Nothing', pages: 0 });
    expect([failed.isError, failed.data, failed.text]).toEqual([true, undefined, 'Nothing has no pages.']);
    // @ts-expect-error: an argument of another type, which the server refuses
    const refused = client.tools.addBook({ title: 'Emma', pages: 'many' });
    expect(
      await refused.then(
        ({ isError }) => isError,
        (error: RpcError) => error.code === -32602,
      ),
    ).toBe(true);
    // The compiler does not see decorators: a method may be another kind of entry.
    await expect(client.tools.recommend({ genre: 'sad' })).rejects.toThrow(/recommend/);
    // @ts-expect-error: a resource that the server does not have
    await expect(client.resources['nothing']()).rejects.toThrow(
      'The server lists no resource and no template with the name "nothing".',
    );
    await client.close();
  });
});

describe('a typed client', () => {
  it.each(ALL_REVISIONS.filter(({ version }) => version >= '2025-06-18').map(({ version }) => version))(
    'answers the questions of tools with the handlers that the type demands, on %s',
    async (revision) => {
      const memory = new MemoryTransport();
      const running = server.override([]);
      await running.listen(memory);
      const client = await createClient<Api>({ memory }, { revision, onElicit });
      expect((await client.tools.dropAll()).data).toEqual({ dropped: true });
      expect((await client.tools.shop_desk_lend()).data).toEqual({ lent: true });
      await client.close();
      await running.close();
    },
  );

  it('passes options on: progress, and a signal', async () => {
    const transport = new HttpTransport({ port: 0 });
    const running = server.override([]);
    await running.listen(transport);
    const client = await createClient<Api>({ url: String(transport.url) }, { onElicit });
    const steps: number[] = [];
    const { data } = await client.tools.slowly({ count: 3 }, { onProgress: ({ progress }) => steps.push(progress) });
    expect([data, steps]).toEqual([{ counted: 3 }, [1, 2, 3]]);
    const aborted = client.tools.slowly({ count: 3 }, { signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED' });
    expect((await client.allTools()).map(({ name }) => name)).toContain('shop_search');
    await expect(client.readResource('books://nothing')).rejects.toBeInstanceOf(RpcError);
    await client.close();
    await running.close();
  });

  it('finds a resource that was added after it has looked', async () => {
    const memory = new MemoryTransport();
    const running = server.override([]);
    await running.listen(memory);
    const client = await createClient<Api & { readonly resources: { readonly late: EntryTypes } }>(
      { memory },
      { onElicit },
    );
    await client.resources.motto();
    running.registry.add(resource('books://late', { name: 'late' }, () => 'Better late.'));
    expect((await client.resources.late()).text).toBe('Better late.');
    await client.close();
    await running.close();
  });
});

describe('the types', () => {
  it('are those of the arguments and data as JSON', () => {
    type Added = Api['tools']['addBook'];
    holds<Same<Added['arguments'], { readonly title: string; readonly pages: number; readonly since?: string }>>();
    holds<Same<Added['data'], { readonly title: string; readonly pages: number; readonly since: string | null }>>();
    holds<Same<Api['tools']['count']['data'], undefined>>();
    holds<Same<Api['tools']['free']['data'], unknown>>();
    holds<Same<Api['tools']['shop_search']['arguments'], { text: string; limit?: number | undefined }>>();
    holds<Same<Api['tools']['shop_search']['data'], { found: string[] }>>();
    holds<Same<Api['prompts']['recommend']['arguments'], { readonly genre: string }>>();
    holds<Same<Api['resources']['shelf']['data'], { genre: string; books: string[] }>>();
    enum Kind {
      New = 'new',
      Used = 'used',
    }
    interface Kept {
      readonly kind: Kind;
    }
    holds<Same<OnWire<Kept>, { readonly kind: 'new' | 'used' }>>();
    holds<Same<OnWire<string | 3 | undefined>, string | 3 | undefined>>();
    const book: Book = { title: 'Emma', pages: 400, since: new Date(0) };
    // @ts-expect-error: a date is a text in JSON
    const sent: Added['arguments'] = book;
    expect(sent).toBe(book);
  });

  it('name what exists', () => {
    holds<Same<Extract<keyof Api['tools'], `shop${string}`>, 'shop_search' | 'shop_desk_lend'>>();
    holds<Same<Extract<keyof Api['prompts'], 'addBook' | 'recommend' | 'shop_review'>, 'recommend' | 'shop_review'>>();
    holds<Same<Extract<keyof Api['resources'], `${string}:${string}`>, 'books://pages/{title}{?number}'>>();
    expect(true).toBe(true);
  });

  it('demand handlers for the questions that are declared, and none else', () => {
    type Handlers = HandlersFor<Api>;
    // @ts-expect-error: tools of the server ask with a form
    const none: Handlers = {};
    // @ts-expect-error: the form has a field `sure`, which is true or false
    const wrong: Handlers = { onElicit: () => ({ action: 'accept', content: { sure: 'yes' } }) };
    const right: Handlers = { onElicit };
    type Asking = ApiOf<{ features: readonly [new () => AskingFeature] }>;
    const both: HandlersFor<Asking> = {
      onRoots: () => [],
      onSample: () => ({ role: 'user', model: 'm', content: [] }),
    };
    // @ts-expect-error: a tool asks for the folders of the client, too
    const half: HandlersFor<Asking> = { onSample: () => ({ role: 'user', model: 'm', content: [] }) };
    expect([none, wrong, right, both, half]).toHaveLength(5);
  });

  it('keep a handler to the questions that its context declares', () => {
    const handlers = [
      (context: McpContext<AskingFeature>) => context,
      // @ts-expect-error: the client need not have a model
      (context: McpContext<Book>) => context.sample('Hello'),
      // @ts-expect-error: another form
      (context: McpContext<Book>) => context.elicit(Confirm, 'Sure?'),
      (context: McpContext) => context.sample('Hello'),
    ];
    expect(handlers).toHaveLength(4);
  });
});
