/** Every function that takes options, with one that does not exist: each names the nearest. JavaScript, a cast and a spread pass anything. */
import { createClient, connect as connectClient, type Client } from '@sigil-mcp/client';
import { apps } from '@sigil-mcp/apps';
import { audit, fileSink } from '@sigil-mcp/audit';
import { verifyChain } from '@sigil-mcp/audit/verify';
import { recordCalls } from '@sigil-mcp/contract/recording';
import {
  Caller,
  Denial,
  Feature,
  Injectable,
  MemoryTransport,
  RateLimit,
  Tool,
  contents,
  createFact,
  createServer,
  resource,
  text,
  tool,
  toolResult,
  type Extension,
  type McpContext,
} from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport, mcpPlugin } from '@sigil-mcp/fastify';
import { createHttpHandler } from '@sigil-mcp/http';
import { createWorker } from '@sigil-mcp/http/cloudflare';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { createLambdaHandler } from '@sigil-mcp/http/lambda';
import { createNodeHandler } from '@sigil-mcp/http/node';
import { introspection, jwt } from '@sigil-mcp/oauth';
import { telemetry } from '@sigil-mcp/otel';
import { redis, upstash } from '@sigil-mcp/redis';
import { resultBudgets } from '@sigil-mcp/results';
import { redisResults } from '@sigil-mcp/results/redis';
import { AnyOf } from '@sigil-mcp/schema';
import { skills } from '@sigil-mcp/skills';
import { tasks } from '@sigil-mcp/tasks';
import { redisTasks } from '@sigil-mcp/tasks/redis';
import { sqliteTasks } from '@sigil-mcp/tasks/sqlite';
import { connect, issuer } from '@sigil-mcp/testing';
import { developmentIssuer } from '@sigil-mcp/testing/issuer';
import { describeInstanceBus, describeStores } from '@sigil-mcp/testing/stores';
import { renderView } from '@sigil-mcp/testing/view';
import { searchToolset } from '@sigil-mcp/toolsets';
import { codeToolset } from '@sigil-mcp/toolsets/code';
import Fastify from 'fastify';

@Feature()
class Hello {
  @Tool('Says hello')
  hello(): string {
    return 'hello';
  }
}

const named = { name: 'hello', version: '1.0.0', features: [Hello], logger: false } as const;
const server = createServer(named);
const url = 'http://127.0.0.1:9/mcp';

/** A server with an extension, which checks its options when the server is made. */
const extended = (extension: Extension<object>): unknown => createServer({ ...named, extensions: [extension] });

/** Calls with a client of a server in this process. */
async function calling(call: (client: Client) => Promise<unknown>): Promise<unknown> {
  const memory = new MemoryTransport();
  const served = createServer(named);
  await served.listen(memory);
  const client = await connectClient({ memory });
  try {
    return await call(client);
  } finally {
    await client.close();
    await served.close();
  }
}

/** Fails with what a handler that asks has thrown. */
async function asking(ask: (context: McpContext) => Promise<unknown>): Promise<unknown> {
  let thrown: unknown;
  const handler = async (context: McpContext): Promise<string> => {
    thrown = await ask(context).catch((error: unknown) => error);
    return 'asked';
  };
  const asker = tool('ask', { description: 'Asks' }, (_input: undefined, context) => handler(context));
  const client = await connect(createServer({ ...named, features: [asker] }), { answers: () => ({}) });
  await client.callTool('ask');
  await client.close();
  throw thrown;
}

const FORM = { type: 'object', properties: { ok: { type: 'boolean' } } } as const;

/** A server with a provider. */
const provided = (provider: object): unknown =>
  createServer({ ...named, features: [Hello], providers: [{ provide: 'db', ...provider } as never] });

/** The options of a function whose types do not have to fit. */
type Given = never;

it.each<[string, string, string, (options: Given) => unknown]>([
  ['createServer', 'toolTimout', 'toolTimeout', (options: object) => createServer({ ...named, ...options })],
  ['defineModule', 'scope', 'scopes', (module) => createServer({ ...named, modules: [module] })],
  ['Caller', 'scope', 'scopes', (caller) => new Caller(caller)],
  ['createFact', 'labl', 'label', (options) => createFact(options)],
  ['block', 'annotaions', 'annotations', (options) => text('Hello', options)],
  ['toolResult', 'structurd', 'structured', (parts) => toolResult(parts)],
  ['contents', 'mimetyp', 'mimeType', (piece: object) => contents({ data: 'a', ...piece })],
  ['the provider of "db"', 'scop', 'scope', (more: object) => provided({ useFactory: () => 1, ...more })],
  ['the provider of "db"', 'injct', 'inject', (more: object) => provided({ useFactory: () => 1, ...more })],
  ['verifyChain', 'whle', 'whole', (options: object) => verifyChain([], { secrets: [], ...options })],
  ['elicitation/create', 'timout', 'timeout', (options) => asking((context) => context.elicit(FORM, 'Sure?', options))],
  ['sampling/createMessage', 'maxTokns', 'maxTokens', (options) => asking((context) => context.sample('Hi', options))],
  ['Denial', 'statuss', 'status', (options) => new Denial('Not now.', options)],
  ['StdioTransport', 'exti', 'exit', (options) => new StdioTransport(options)],
  ['RateLimit', 'bye', 'by', (options: object) => RateLimit({ calls: 1, per: 'minute', ...options })],
  ['Injectable', 'scop', 'scope', (options) => Injectable(options)],
  ['AnyOf', 'eahc', 'each', (options) => AnyOf(() => [String], options)],
  ['HttpTransport', 'allowedHost', 'allowedHosts', (options) => new HttpTransport(options)],
  ['mcpPlugin', 'paht', 'path', (options: object) => mcpPlugin(Fastify(), { server, ...options })],
  ['createHttpHandler', 'isLoopBack', 'isLoopback', (options) => createHttpHandler(server, options)],
  ['createFetchHandler', 'adress', 'address', (options) => createFetchHandler(server, options)],
  ['createNodeHandler', 'identfy', 'identify', (options) => createNodeHandler(server, options)],
  ['createLambdaHandler', 'sesions', 'sessions', (options) => createLambdaHandler(server, options)],
  ['createWorker', 'object', 'objects', (options) => createWorker(() => server, options)],
  ['jwt', 'audiance', 'audience', (options: object) => jwt({ issuer: url, resource: url, ...options })],
  ['introspection', 'clientID', 'clientId', (options) => introspection(options)],
  ['audit', 'sinks', 'sink', (options) => audit(options)],
  ['fileSink', 'maxByte', 'maxBytes', (options) => fileSink(options)],
  ['telemetry', 'adresses', 'addresses', (options) => telemetry(options)],
  ['recordCalls', 'shares', 'share', (options: object) => recordCalls({ to: 'a', ...options })],
  ['redis', 'namespce', 'namespace', (options) => redis(options)],
  ['upstash', 'tokens', 'token', (options) => upstash(options)],
  ['redisTasks', 'prefx', 'prefix', (options) => redisTasks({} as never, options)],
  ['redisResults', 'prefx', 'prefix', (options) => redisResults({} as never, options)],
  ['sqliteTasks', 'clok', 'clock', (options) => sqliteTasks({} as never, options)],
  ['tasks', 'stor', 'store', (options) => extended(tasks(options))],
  ['resultBudgets', 'stor', 'store', (options) => extended(resultBudgets(options))],
  ['skills', 'folder', 'folders', (options) => extended(skills(options))],
  ['apps', 'chatGPT', 'chatgpt', (options) => extended(apps(options))],
  ['searchToolset', 'alway', 'always', (options) => extended(searchToolset(options))],
  ['codeToolset', 'limit', 'limits', (options) => extended(codeToolset(options))],
  ['connect', 'onElict', 'onElicit', (options) => connectClient({ url }, options)],
  ['connect', 'timout', 'timeout', (options: object) => createClient({ url }, options as never)],
  ['connect', 'revison', 'revision', (options) => connect(server, options)],
  ['connect', 'header', 'headers', (target: object) => connectClient({ url, ...target })],
  ['connect', 'arg', 'args', (target: object) => connectClient({ command: 'node', ...target })],
  ['tools/call', 'timeot', 'timeout', (options) => calling((client) => client.callTool('hello', {}, options))],
  ['tools/list', 'singal', 'signal', (options) => calling((client) => client.allTools(options))],
  ['prompts/get', 'timeot', 'timeout', (options) => calling((client) => client.getPrompt('a', {}, options))],
  ['resources/read', 'timeot', 'timeout', (options) => calling((client) => client.readResource('a:b', options))],
  [
    'completion/complete',
    'timeot',
    'timeout',
    (options) => calling((client) => client.complete({ prompt: 'a' }, { name: 'b', value: '' }, options)),
  ],
  ['server/discover', 'timeot', 'timeout', (options) => calling((client) => client.ping(options))],
  ['subscribe', 'timeot', 'timeout', (options) => calling((client) => client.subscribe({}, () => undefined, options))],
  ['tasks/get', 'timeot', 'timeout', (options) => calling((client) => client.task('7').get(options))],
  ['result', 'onTsk', 'onTask', (options) => calling((client) => client.task('7').result(options))],
  [
    'callTool',
    'logLevl',
    'logLevel',
    async (options) => {
      const client = await connect(server);
      const said = await client.callTool('hello', {}, options).catch(String);
      await client.close();
      return said;
    },
  ],
  ['Caller', 'rols', 'roles', (as) => connect(server, { as })],
  ['renderView', 'them', 'theme', (options) => renderView(server, 'hello', {}, options)],
  ['issuer', 'audiance', 'audience', (options) => issuer(options)],
  [
    'developmentIssuer',
    'prot',
    'port',
    (options: object) => developmentIssuer({ resource: url, people: {}, ...options }),
  ],
  ['describeStores', 'floods', 'flood', (options) => describeStores(() => [] as never, options)],
  ['describeInstanceBus', 'floods', 'flood', (options) => describeInstanceBus(() => [] as never, options)],
])('%s refuses %s, and names %s', async (call, wrong, right, run) => {
  const said = await Promise.resolve()
    .then(() => run({ [wrong]: undefined } as Given))
    .catch(String);
  expect(said).toEqual(expect.stringContaining(`(${'{'} ${wrong} }): there is no such option.`));
  expect(said).toEqual(expect.stringMatching(new RegExp(`${call}\\(.*Did you mean ${right}\\?`, 's')));
});

it.each([
  [{ requestState: { secret: ['a'.repeat(32)] } }, 'createServer({ requestState: { secret } })', 'secrets'],
  [{ cache: { ttl: 1000 } }, 'createServer({ cache: { ttl } })', 'ttlMs'],
  [{ icons: [{ scr: 'a:b' }] }, 'createServer({ icons: [{ scr }] })', 'src'],
  [
    { observers: [{ requestStartd: () => undefined }] },
    'createServer({ observers: [{ requestStartd }] })',
    'requestStarted',
  ],
  [{ limits: { sesions: 1 } }, 'createServer({ limits }): there is no limit called sesions', ''],
])('a member of an option that does not exist is refused: %j', (options, problem, nearest) => {
  const make = (): unknown => createServer({ ...named, ...(options as object) });
  expect(make).toThrow(problem);
  if (nearest !== '') expect(make).toThrow(`Did you mean ${nearest}?`);
});

it('a caller over stdio and what verifies tokens are refused with a member that does not exist, or without one that they need', () => {
  const scope = ['notes:read'] as const;
  expect(() => new StdioTransport({ caller: { scope } as never })).toThrow(
    /StdioTransport\({ caller: { scope } }\): there is no such option\..* Did you mean scopes\?/s,
  );
  const verify = (): undefined => undefined;
  expect(() => createHttpHandler(server, { auth: { verify, scope } as never })).toThrow('Did you mean scopes?');
  expect(() => createHttpHandler(server, { auth: { verfy: verify } as never })).toThrow(
    'Pass an object with the function verify, such as jwt({ ... }) of @sigil-mcp/oauth.',
  );
  // An instance may have members of its own.
  const own = Object.assign(new (class Keys {})(), { verify, cached: 1 });
  expect(() => new HttpTransport({ auth: own })).not.toThrow();
});

it('what clients say of themselves is checked, and what is experimental is free', async () => {
  const connecting = (options: object) => connectClient({ url }, options);
  await expect(connecting({ capabilities: { smpling: {} } })).rejects.toThrow('Did you mean sampling?');
  await expect(connecting({ auth: { tokn: 'a' } })).rejects.toThrow('Pass an object with token, a text or a function.');
  await expect(connecting({ clientInfo: { name: 'a', versoin: '1' } })).rejects.toThrow('Did you mean version?');
  const free = { experimental: { 'com.example/any': { anything: true } }, extensions: { 'com.example/b': {} } };
  await expect(connecting({ capabilities: free })).rejects.toMatchObject({ code: 'SIGIL_CLIENT_UNREACHABLE' });
});

it.each([
  [{ icons: [{ source: 'a:b' }] }, 'Greeting.hello({ icons: [{ source }] }): there is no such option.'],
  [{ icons: 'a:b' }, 'Greeting.hello({ icons }): it is "a:b".'],
  [{ readOnly: 'yes' }, 'Greeting.hello({ readOnly }): it is "yes".'],
  [{ title: 5 }, 'Greeting.hello({ title }): it is 5.'],
  [
    { concurrency: { calls: 4, perClint: 1 } },
    'Greeting.hello({ concurrency: { perClint } }): there is no such option.',
  ],
])('members of options of decorators are checked: %j', (options, problem) => {
  class Greeting {
    hello(): string {
      return 'hello';
    }
  }
  Tool('Says hello', options as never)(Greeting.prototype, 'hello', { value: () => 'hello' });
  Feature()(Greeting);
  expect(() => createServer({ ...named, features: [Greeting] })).toThrow(problem);
  const data = tool('hello', { description: 'Says hello', ...options } as never, () => 'hello');
  expect(() => createServer({ ...named, features: [data] })).toThrow(
    problem.replace('Greeting.hello', 'tool("hello")'),
  );
});

it.each([
  [{ title: 5 }, 'createServer({ title }): it is 5.'],
  [{ websiteUrl: false }, 'createServer({ websiteUrl }): it is false.'],
  [{ icons: ['a:b'] }, 'createServer({ icons }): it is an array.'],
  [{ cache: { ttlMs: -1, cacheScope: 'private' } }, 'createServer({ cache: { ttlMs } }): it is -1.'],
])('what a server says of itself is of the right kind: %j', (options, problem) => {
  expect(() => createServer({ ...named, ...(options as object) })).toThrow(problem);
});

it('annotations of resources are checked', () => {
  const make = (annotations: object) => (): unknown =>
    createServer({ ...named, features: [resource('a:b', { name: 'b', annotations }, () => 'b')] });
  expect(make({ audiance: ['user'] })).toThrow('Did you mean audience?');
  expect(make({ priority: 2 })).toThrow('resource("a:b")({ annotations: { priority } }): it is 2.');
  expect(make({ priority: 1, audience: ['assistant'] })).not.toThrow();
});

it('modules within modules, and kinds of members, are checked', () => {
  const make = (module: object) => (): unknown => createServer({ ...named, modules: [module] });
  expect(make({ prefix: 'books', modules: [{ gaurds: [] }] })).toThrow('module [0]: defineModule({ gaurds })');
  expect(make({ guards: 'none' })).toThrow('module [0]: defineModule({ guards }): it is "none".');
  expect(() => new Caller({ id: 'ada', kind: 'Local' as never })).toThrow(
    "Pass 'user', 'client', 'anonymous' or 'local'.",
  );
  expect(() => new Caller({ id: 'ada', kind: 'local', scopes: 'all' as never })).toThrow('Pass an array of texts.');
});

it('a token of an issuer refuses options that do not exist', async () => {
  const opened = await issuer();
  expect(() => opened.token({ scopes: 'a' } as never)).toThrow('Did you mean scope?');
  await opened.close();
});

it('an option of a decorator that does not exist is reported with the nearest', () => {
  const options: object = { readonly: true, titel: 'Hello' };
  class Greeting {
    hello(): string {
      return 'hello';
    }
  }
  Tool('Says hello', options as never)(Greeting.prototype, 'hello', { value: () => 'hello' });
  Feature()(Greeting);
  expect(() => createServer({ ...named, features: [Greeting] })).toThrow(
    /it has unknown options: readonly, titel\.\s+Use name, .*Did you mean readOnly, title\?/s,
  );
});
