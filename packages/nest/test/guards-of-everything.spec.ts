/**
 * One global guard of Nest stands before everything that is served: every kind of entry, defined in every way, in every method of the
 * protocol. The package as it is built, with Nest 11 and 12, on Express and Fastify.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestClient } from '@sigil-mcp/testing';
import { compileProgram, removePrograms } from './support/compile-program';
import { eachRevision } from '../../../test/support/each-revision';
import { sample } from '../../../test/support/matrix';

const SOURCE = join(__dirname, 'programs', 'guarded.mts');
/** As the program defines the guard. */
const WAYS = ['APP_GUARD', 'APP_GUARD for each request', 'useGlobalGuards'];

const running: ChildProcess[] = [];
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  removePrograms();
});

const FUNCTION_WAYS = ['function', 'added'];
const TOOLS = [
  'methodTool',
  'taskTool',
  'long',
  'scopedTool',
  'controllerTool',
  'builtTool',
  'inheritedTool',
  ...FUNCTION_WAYS.map((way) => `${way}Tool`),
];
const ALL_TOOLS = [...TOOLS, 'named', 'search_tools', 'call_tool'].sort();
const WITH_RESOURCES = ['method', ...FUNCTION_WAYS];

interface Attempt {
  readonly what: string;
  readonly run: (client: TestClient) => Promise<unknown>;
}

/** Every request about an entry. A keeper is answered with something that has the word SECRET in it, unless the attempt says so. */
const ATTEMPTS: readonly Attempt[] = [
  ...TOOLS.map((name) => ({ what: `tools/call ${name}`, run: (client: TestClient) => client.callTool(name) })),
  { what: 'tools/call named', run: (client) => client.callTool('named', { name: 'tom' }) },
  {
    what: 'tools/call call_tool',
    run: (client) => client.callTool('call_tool', { name: 'methodTool', arguments: {} }),
  },
  {
    what: 'tools/call search_tools',
    run: async (client) => `${JSON.stringify(await client.callTool('search_tools', { query: 'method' }))} SECRET`,
  },
  ...WITH_RESOURCES.flatMap((way) => [
    { what: `resources/read ${way}`, run: (client: TestClient) => client.readResource(`zoo://${way}/one`) },
    {
      what: `resources/read of a template ${way}`,
      run: (client: TestClient) => client.readResource(`zoo://${way}/of/a`),
    },
    { what: `resources/read of a view ${way}`, run: (client: TestClient) => client.readResource(`ui://zoo/${way}`) },
    {
      what: `completion/complete ${way}`,
      run: (client: TestClient) => client.complete({ template: `zoo://${way}/of/{name}` }, 'name', ''),
    },
  ]),
  { what: 'resources/read of a skill', run: (client) => client.readResource('skill://feed/SKILL.md') },
  { what: 'prompts/get methodPrompt', run: (client) => client.getPrompt('methodPrompt', { name: 'tom' }) },
  ...FUNCTION_WAYS.map((way) => ({
    what: `prompts/get ${way}Prompt`,
    run: (client: TestClient) => client.getPrompt(`${way}Prompt`),
  })),
  {
    what: 'completion/complete methodPrompt',
    run: (client) => client.complete({ prompt: 'methodPrompt' }, 'name', ''),
  },
];

/** What a list has, by names and URIs, sorted. */
async function listed(client: TestClient): Promise<Record<string, readonly string[]>> {
  const [tools, resources, templates, prompts] = await Promise.all([
    client.listTools(),
    client.listResources(),
    client.listResourceTemplates(),
    client.listPrompts(),
  ]);
  return {
    tools: tools.tools.map(({ name }) => name).sort(),
    resources: resources.resources.map(({ uri }) => uri).sort(),
    templates: templates.resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort(),
    prompts: prompts.prompts.map(({ name }) => name).sort(),
  };
}

const outcomeOf = async (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    (value) => JSON.stringify(value),
    (error: unknown) => `refused: ${String(error)}`,
  );

/** By turns: the guards are the same, and what versions and platforms differ in is in `platforms.spec.ts`. */
const PLATFORMS = [
  ['11', 'express'],
  ['11', 'fastify'],
  ['12', 'express'],
  ['12', 'fastify'],
] as const;

describe.each(sample(PLATFORMS))('with Nest %s on %s', (nest, platform) => {
  const urls: string[] = [];

  beforeAll(async () => {
    const child = spawn(process.execPath, [compileProgram(SOURCE, nest), platform], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.push(child);
    const said: string[] = [];
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      if (/^http.*\/mcp$/.test(line)) urls.push(line);
      if (urls.length === WAYS.length) return;
    }
    await once(child, 'exit');
    throw new Error(`The program has ended: ${said.join('\n')}`);
  });

  describe.each(WAYS.map((way, index) => [way, index] as const))('%s', (_way, index) => {
    const urlOf = (): string => String(urls[index]);
    // The others differ in how messages are written, which is no matter of guards.
    const since = nest === '11' && platform === 'express' ? {} : ({ since: '2025-11-25' } as const);

    eachRevision(
      'lets those in whom the guard lets in',
      async ({ connect }) => {
        const keeper = await connect(urlOf(), { headers: { 'x-role': 'keeper' } });
        const lists = await listed(keeper);
        expect(lists['tools']).toEqual(ALL_TOOLS);
        expect(lists['prompts']).toEqual(['addedPrompt', 'functionPrompt', 'methodPrompt']);
        expect(lists['templates']).toEqual(WITH_RESOURCES.map((way) => `zoo://${way}/of/{name}`).sort());
        for (const way of WITH_RESOURCES)
          expect(lists['resources']).toEqual(expect.arrayContaining([`zoo://${way}/one`, `zoo://${way}/of/tom`]));
        const wrong: string[] = [];
        for (const { what, run } of ATTEMPTS) {
          const outcome = await outcomeOf(run(keeper));
          if (!outcome.includes('SECRET')) wrong.push(`${what}: ${outcome.slice(0, 200)}`);
        }
        expect(wrong).toEqual([]);
      },
      since,
    );

    eachRevision(
      'refuses all others, in every list and in every request',
      async ({ connect }) => {
        const visitor = await connect(urlOf());
        expect(await listed(visitor)).toEqual({ tools: [], resources: [], templates: [], prompts: [] });
        const wrong: string[] = [];
        for (const { what, run } of ATTEMPTS) {
          const outcome = await outcomeOf(run(visitor));
          const isRefused = outcome.startsWith('refused: ') || outcome.includes('Forbidden resource');
          if (!isRefused || (outcome.includes('SECRET') && !what.includes('search_tools')))
            wrong.push(`${what}: ${outcome.slice(0, 200)}`);
        }
        expect(wrong).toEqual([]);
      },
      since,
    );
  });

  describe('what goes on after its request', () => {
    const since = { since: '2026-07-28' };

    eachRevision(
      'is a task of those alone whom the guard lets in, as long as it does',
      async ({ connect }) => {
        const [url = ''] = urls;
        const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
        const keeper = await connect(url, { headers: { 'x-role': 'keeper' }, capabilities });
        // The same user, whose role was taken away.
        const visitor = await connect(url, { capabilities });
        expect(await outcomeOf(visitor.startTask('taskTool'))).toMatch(/^refused: .*is no task/);
        const task = await keeper.startTask('taskTool');
        expect(JSON.stringify(await task.result())).toContain('SECRET');
        const params = { taskId: task.id };
        expect(JSON.stringify(await keeper.request('tasks/get', params))).toContain('SECRET');
        for (const method of ['tasks/get', 'tasks/cancel'])
          expect(await outcomeOf(visitor.request(method, params))).toMatch(/^refused: .*Forbidden resource/);
        const update = { ...params, inputResponses: {} };
        expect(await outcomeOf(visitor.request('tasks/update', update))).toMatch(/^refused: .*Forbidden resource/);
      },
      since,
    );

    eachRevision('is the rest of a result for them, too', async ({ connect }) => {
      const [url = ''] = urls;
      const keeper = await connect(url, { headers: { 'x-role': 'keeper' } });
      const visitor = await connect(url);
      const first = JSON.stringify(await keeper.callTool('long'));
      const [cursor = ''] = /[\w-]{20,}\.\d+/.exec(first) ?? [];
      const [rest = ''] = /result:\/\/[\w-]+\/\d+/.exec(first) ?? [];
      expect(JSON.stringify(await keeper.callTool('long', { cursor }))).toContain('SECRET');
      const refused = await outcomeOf(visitor.callTool('long', { cursor }));
      expect(refused).toContain('Forbidden resource');
      expect(refused).not.toContain('SECRET');
      expect(await outcomeOf(keeper.readResource(rest))).toContain('SECRET');
      expect(await outcomeOf(visitor.readResource(rest))).toMatch(/^refused: /);
    });

    eachRevision(
      'is a subscription for them, too',
      async ({ connect }) => {
        const [url = ''] = urls;
        const keeper = await connect(url, { headers: { 'x-role': 'keeper' } });
        const visitor = await connect(url);
        const uri = 'zoo://method/one';
        expect(await keeper.request('resources/subscribe', { uri })).toEqual({});
        expect(await outcomeOf(visitor.request('resources/subscribe', { uri }))).toMatch(/^refused: /);
      },
      { until: '2025-11-25' },
    );
  });
});
