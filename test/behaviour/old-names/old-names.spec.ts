/** Tools that were renamed, and what is said of their versions: in every revision, and over every transport. */
import { join } from 'node:path';
import { createServer, type DefinitionError, defineModule, tool, type Call, type Server } from '@sigil-mcp/core';
import { connect, type Target } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { compileFixtures } from '../../support/compile-fixture';
import { serve, useAdapter } from '../http/http-server';
import { CAPABILITIES, reach, start, textOf, WITH_TASKS } from '../tasks/task-client';
import { shelf, shelfDefinition, Stove } from './fixtures/shelf';

interface Opened {
  readonly target: Target;
  close(): Promise<void>;
}

const http = (adapter: 'fastify' | 'fetch') => async (): Promise<Opened> => {
  useAdapter(adapter);
  const { url, close } = await serve(shelfDefinition());
  return { target: url, close };
};

const TRANSPORTS: Readonly<Record<string, () => Promise<Opened>>> = {
  async memory() {
    const server = shelf();
    return { target: server, close: () => server.close() };
  },
  async stdio() {
    const program = join(compileFixtures(join(__dirname, 'fixtures')), 'stdio.js');
    return { target: { command: process.execPath, args: [program] }, close: async () => undefined };
  },
  'HTTP with Fastify': http('fastify'),
  'HTTP with fetch': http('fetch'),
};

const messageOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    (result) => JSON.stringify(result),
    (error: Error) => error.message,
  );

const stove = (): Server => shelf({ features: [Stove] });

describe.each(Object.entries(TRANSPORTS))('over %s', (_transport, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  eachRevision('an old name answers as the new one, with its arguments converted', async ({ connect: here }) => {
    const client = await here(opened.target);
    const found = await client.callTool('findBook', { title: 'Emma' });
    expect(textOf(found as never)).toBe('{"title":"Emma!"}');
    expect(await client.callTool('lookUp', { title: 'Emma' })).toEqual(found);
    expect(await client.callTool('searchBook', { text: ' Emma ', limit: 3 })).toEqual(found);
    expect(await client.callTool('searchBook', { text: 'lost' })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'It is lost.' }],
    });
  });

  eachRevision('lists show no old name', async ({ connect: here }) => {
    const client = await here(opened.target);
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toContain('findBook');
    for (const old of ['lookUp', 'searchBook', 'dropBook', 'numberBooks', 'pause']) expect(names).not.toContain(old);
  });

  eachRevision('arguments that cannot be converted are invalid', async ({ connect: here }) => {
    const client = await here(opened.target);
    const wrong = 'those of searchBook could not be converted into those of findBook; call findBook instead.';
    expect(await messageOf(client.callTool('searchBook', { title: 'Emma' }))).toContain(`Invalid arguments: ${wrong}`);
    expect(await messageOf(client.callTool('searchBook'))).toContain(wrong);
    expect(await messageOf(client.callTool('refuseBook', {}))).toContain('refuseBook could not be converted');
    expect(await messageOf(client.callTool('stopBook', {}))).toContain('Name the book.');
    expect(await messageOf(client.callTool('searchBook', { text: 'Emma', limit: 1000 }))).toContain('most');
    expect(textOf((await client.callTool('lookUp', { title: 'Emma' })) as never)).toContain('Emma');
  });
});

eachRevision('the limit of time is that of the new name', async ({ connect: here }) => {
  const client = await here(shelf());
  expect(JSON.stringify(await client.callTool('pause'))).toContain('timed out');
});

eachRevision('both names share the limit of a rate', async ({ connect: here }) => {
  const client = await here(shelf());
  await client.callTool('ring');
  await client.callTool('bell');
  const refused = [client.callTool('bell'), client.callTool('ring')].map(messageOf);
  for (const message of await Promise.all(refused)) expect(message).not.toContain('"ring"');
});

eachRevision(
  'guards and scopes protect the old name, before its arguments are converted',
  async ({ connect: here }) => {
    const stranger = await here(stove(), { as: { id: 'bob', scopes: ['books:write'] } });
    expect(await messageOf(stranger.callTool('dropBook', {}))).toContain('Unknown tool: burnBook');
    expect(await messageOf(stranger.callTool('burnBook', {}))).toContain('Unknown tool: burnBook');
    const reader = await here(stove(), { as: { id: 'ada', scopes: [] } });
    expect(await messageOf(reader.callTool('dropBook', {}))).toContain('books:write');
    const ada = await here(stove(), { as: { id: 'ada', scopes: ['books:write'] } });
    expect(await messageOf(ada.callTool('dropBook', {}))).toContain('Invalid arguments');
    expect(textOf((await ada.callTool('dropBook', { text: 'Emma' })) as never)).toBe('burnt Emma');
  },
);

eachRevision('guards that look at a call see the arguments of today', async ({ connect: here }) => {
  const client = await here(shelf());
  expect(await messageOf(client.callTool('searchBook', { text: 'secret' }))).toContain('Unknown tool');
});

eachRevision('clients see since and deprecated', async ({ connect: here, revision }) => {
  const { tools } = await (await here(shelf())).listTools();
  const lend = tools.find(({ name }) => name === 'lendBook');
  expect(lend?.description).toBe('Lends a book\n\nDeprecated: Use findBook.');
  if (revision < '2025-06-18') return;
  expect(lend?._meta).toEqual({ 'dev.sigil/deprecated': 'Use findBook.', shelf: 3 });
  expect(tools.find(({ name }) => name === 'findBook')?._meta).toEqual({ 'dev.sigil/since': '2.0.0' });
});

eachRevision('the log says what kept arguments from being converted', async ({ connect: here }) => {
  const lines: { readonly err: Error; readonly alias: string }[] = [];
  const quiet = (): void => undefined;
  const logger = {
    debug: quiet,
    info: quiet,
    error: quiet,
    warn: (fields: object) => void lines.push(fields as never),
  };
  const client = await here(shelf({ logger }));
  await messageOf(client.callTool('searchBook', {}));
  await messageOf(client.callTool('refuseBook', {}));
  await messageOf(client.callTool('stopBook', {}));
  expect(lines.map(({ err, alias }) => [alias, err.name, (err as { code?: string }).code])).toEqual([
    ['searchBook', 'TypeError', undefined],
    ['refuseBook', 'SigilError', 'SIGIL_REPLACED_OUTPUT'],
  ]);
});

eachRevision('an observer sees what the client wrote, and the old name', async ({ connect: here }) => {
  const seen: unknown[] = [];
  const server = shelf({
    observers: [
      {
        requestStarted: ({ method, params }) =>
          method === 'tools/call'
            ? {
                opened: ({ alias, entry }: Call) =>
                  seen.push([alias, entry?.key, params?.['name'], params?.['arguments']]),
              }
            : undefined,
      },
    ],
  });
  const client = await here(server);
  await client.callTool('searchBook', { text: 'Emma' });
  await client.callTool('findBook', { title: 'Emma' });
  await messageOf(client.callTool('nobody'));
  expect(seen).toEqual([
    ['searchBook', 'findBook', 'searchBook', { text: 'Emma' }],
    [undefined, 'findBook', 'findBook', { title: 'Emma' }],
    [undefined, undefined, 'nobody', {}],
  ]);
});

it('a call by an old name becomes a task, which its caller can read', async () => {
  const client = await connect(shelf(), { revision: WITH_TASKS, capabilities: CAPABILITIES });
  const done = await reach(client, await start(client, 'numberBooks', { title: 'Emma' }), 'completed');
  expect(textOf(done)).toBe('one Emma');
  await client.close();
});

describe('at run time', () => {
  const echo = (name: string, replaces?: readonly string[]) =>
    tool(name, { description: 'Answers', ...(replaces && { replaces }) }, () => name);
  const serverOf = (...features: readonly ReturnType<typeof echo>[]): Server =>
    createServer({ name: 'shelf', version: '1.0.0', logger: false, features });
  const codesOf = (run: () => void): readonly string[] => {
    try {
      run();
      return [];
    } catch (error) {
      return (error as DefinitionError).problems.map(({ code }) => code);
    }
  };

  eachRevision('an old name is there as long as its tool', async ({ connect: here }) => {
    const server = serverOf(echo('now', ['before']));
    const client = await here(server);
    const answer = (name: string): Promise<string> => messageOf(client.callTool(name));
    expect(await answer('before')).toContain('now');
    server.registry.disable('tool', 'now');
    expect(await answer('before')).toContain('Unknown tool: before');
    server.registry.enable('tool', 'now');
    expect(await answer('before')).toContain('now');
    server.registry.update('tool', 'now', { replaces: ['earlier'] });
    expect(await answer('before')).toContain('Unknown tool: before');
    expect(await answer('earlier')).toContain('now');
    server.registry.add(echo('other', ['before']));
    expect(await answer('before')).toContain('other');
    server.registry.remove('tool', 'other');
    expect(await answer('before')).toContain('Unknown tool: before');
  });

  eachRevision('a tool may be deprecated', async ({ connect: here }) => {
    const server = serverOf(echo('now'));
    const client = await here(server);
    server.registry.update('tool', 'now', { deprecated: 'Use nothing.' });
    expect((await client.listTools()).tools[0]?.description).toBe('Answers\n\nDeprecated: Use nothing.');
  });

  it('a name is taken by an old name, and an old name by a name', () => {
    const server = serverOf(echo('now', ['before']), echo('other'));
    expect(codesOf(() => server.registry.add(echo('before')))).toEqual(['SIGIL_REPLACED_TAKEN']);
    expect(codesOf(() => server.registry.add(echo('new', ['before'])))).toEqual(['SIGIL_REPLACED_TWICE']);
    expect(codesOf(() => server.registry.add(echo('new', ['other'])))).toEqual(['SIGIL_REPLACED_TAKEN']);
    expect(codesOf(() => server.registry.update('tool', 'other', { replaces: ['before'] }))).toEqual([
      'SIGIL_REPLACED_TWICE',
    ]);
    expect(codesOf(() => server.registry.update('tool', 'now', { replaces: ['before', 'earlier'] }))).toEqual([]);
  });
});

eachRevision('old names in a module have its prefix', async ({ connect: here }) => {
  const books = defineModule({
    prefix: 'books',
    features: [tool('find', { description: 'Finds', replaces: ['search'] }, () => 'found')],
  });
  const client = await here(createServer({ name: 'shelf', version: '1.0.0', logger: false, modules: [books] }));
  expect(JSON.stringify(await client.callTool('books_search'))).toContain('found');
  expect(await messageOf(client.callTool('search'))).toContain('Unknown tool: search');
});
