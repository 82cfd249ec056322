/** Operations as values: each is read and written in both directions, in every revision, and one can be added from outside. */
import type { JsonObject, Method, Operation, ParamsOf, Revision, ServerMethod } from '@sigil-mcp/protocol';
import {
  ALL_OPERATIONS,
  ALL_REVISIONS,
  ALL_RULES,
  ALL_SERVER_OPERATIONS,
  ProtocolError,
  compileRevision,
  extendRevision,
} from '@sigil-mcp/protocol';
import { describeWithSchemas } from '../../../test/support/supplies/official-schema';
import { validateMessage } from '../../../test/support/supplies/judge-message';
import { askForm, askUrl, deepFreeze, results, sample, sampleWithTools, server } from './rich-values';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
};

/** Parameters of each operation, with every member set. */
const params: { readonly [M in Method]: ParamsOf<M> } = deepFreeze({
  initialize: { protocolVersion: '2025-11-25', capabilities: { roots: { listChanged: true } }, clientInfo: server },
  ping: {},
  'server/discover': {},
  'tools/list': { cursor: 'next' },
  'tools/call': { name: 'forecast', arguments: { city: 'Oslo' } },
  'resources/list': { cursor: 'next' },
  'resources/templates/list': { cursor: 'next' },
  'resources/read': { uri: 'weather://oslo' },
  'resources/subscribe': { uri: 'weather://oslo' },
  'resources/unsubscribe': { uri: 'weather://oslo' },
  'subscriptions/listen': { notifications: { toolsListChanged: true, resourceSubscriptions: ['weather://oslo'] } },
  'prompts/list': { cursor: 'next' },
  'prompts/get': { name: 'report', arguments: { city: 'Oslo' } },
  'completion/complete': {
    ref: { type: 'ref/prompt', name: 'report' },
    argument: { name: 'city', value: 'O' },
    previous: { country: 'no' },
  },
  'logging/setLevel': { level: 'warning' },
});

const travelled = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
const methodsOf = (revision: Revision): Method[] => [...revision.requests] as Method[];
const revisions = ALL_REVISIONS.map((revision) => [revision.version, revision] as const);

function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ProtocolError && error.error === 'invalid-params') return error.message;
    throw error;
  }
  throw new Error('It was read.');
}

describe.each(revisions)('an operation of %s', (version, revision) => {
  it.each(methodsOf(revision))('writes parameters as a client that a server reads: %s', (method) => {
    const written = travelled(revision.writeRequest(method, params[method]));
    const read = revision.readRequest(method, written);
    const isOld = !revision.requests.has('server/discover') && version < '2025-06-18';
    if (method === 'completion/complete' && isOld) expect(read).toEqual({ ...params[method], previous: {} });
    else if (method === 'initialize') expect(read).toMatchObject({ clientInfo: { name: 'weather', version: '1.0.0' } });
    else expect(read).toEqual(params[method]);
  });

  it.each(methodsOf(revision))('reads results as a client that a server has written: %s', (method) => {
    const written = travelled(revision.writerFor(server).writeResult(method, results[method]));
    expect(travelled(revision.readResult(method, written))).toMatchObject(methodHasResult(method) ? written : {});
  });
});

/** Methods whose result says more than that it worked. */
const methodHasResult = (method: Method): boolean =>
  !['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'].includes(method);

describeWithSchemas('what a client writes', () => {
  describe.each(revisions)('%s', (version, revision) => {
    it.each(methodsOf(revision))('fits the official schema: %s', (method) => {
      const _meta = revision.lifecycle === 'per-request' ? { _meta: META } : {};
      const message = {
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...revision.writeRequest(method, params[method]), ..._meta },
      };
      expect(validateMessage(version, travelled(message), { direction: 'client' })).toEqual([]);
    });
  });
});

describe('a client', () => {
  const newest = ALL_REVISIONS.at(-1)!;
  const handshake = ALL_REVISIONS.at(-2)!;

  it.each<[Method, JsonObject, string]>([
    ['tools/call', { content: [{ text: 'a' }] }, 'result.content[0].type must be a string'],
    ['tools/call', { content: [{ type: 'text' }] }, 'result.content[0].text must be a string'],
    ['tools/call', { content: [{ type: 'image', data: '' }] }, 'result.content[0].mimeType must be a string'],
    ['tools/call', { content: [{ type: 'audio', mimeType: '' }] }, 'result.content[0].data must be a string'],
    ['tools/call', { content: [{ type: 'resource_link', uri: '' }] }, 'result.content[0].name must be a string'],
    ['tools/call', { content: [{ type: 'resource' }] }, 'result.content[0].resource must be an object'],
    [
      'tools/call',
      { content: [{ type: 'resource', resource: { uri: '' } }] },
      'result.content[0].resource.blob must be a string',
    ],
    ['resources/read', { contents: [{ uri: '' }] }, 'result.contents[0].blob must be a string'],
    ['resources/read', { contents: [{ uri: '', text: 1 }] }, 'result.contents[0].text must be a string'],
    ['prompts/get', { messages: [{ role: 'user' }] }, 'result.messages[0].content must be an object'],
    ['prompts/get', { messages: [{ role: 'user', content: {} }] }, 'result.messages[0].content.type must be a string'],
    ['tools/list', {}, 'result.tools must be an array'],
    ['tools/list', { tools: [1] }, 'result.tools[0] must be an object'],
    ['tools/list', { tools: [{ title: 'x' }] }, 'result.tools[0].name must be a string'],
    ['tools/call', { structuredContent: {} }, 'result.content must be an array'],
    ['resources/read', { contents: [{ text: 'x' }] }, 'result.contents[0].uri must be a string'],
    ['prompts/get', { messages: {} }, 'result.messages must be an array'],
    ['completion/complete', { completion: { values: [1] } }, 'result.completion.values must be an array of strings'],
    ['server/discover', { capabilities: {} }, 'result.supportedVersions must be an array of strings'],
  ])('is told which member of a result is wrong: %s %j', (method, result, message) => {
    expect(refusal(() => newest.readResult(method, result))).toBe(message);
  });

  it('reads content of a type that it does not know, and empty texts', () => {
    const content = [{ type: 'hologram' }, { type: 'text', text: '' }, { type: 'toString' }];
    expect(newest.readResult('tools/call', { content }).content).toEqual(content);
    const contents = [{ uri: 'a', text: '' }];
    expect(newest.readResult('resources/read', { contents }).contents).toEqual(contents);
  });

  it('reads a result of a tool without isError as no error', () => {
    expect(newest.readResult('tools/call', { content: [] })).toEqual({ content: [], isError: false });
    expect(newest.readResult('tools/call', { content: [], isError: true }).isError).toBe(true);
  });

  it.each<[ServerMethod, JsonObject, string]>([
    ['elicitation/create', { requestedSchema: { properties: {} } }, 'params.message must be a string'],
    ['elicitation/create', { message: 'Hi' }, 'params.requestedSchema must be an object'],
    ['elicitation/create', { message: 'Hi', mode: 'voice' }, 'params.mode must be "form" or "url"'],
    ['elicitation/create', { message: 'Hi', mode: 'url' }, 'params.url must be a string'],
    ['sampling/createMessage', { messages: 1, maxTokens: 1 }, 'params.messages must be an array'],
    ['sampling/createMessage', { messages: [], maxTokens: '1' }, 'params.maxTokens must be a number'],
    [
      'sampling/createMessage',
      { messages: [{ role: 'user', content: { type: 'film' } }], maxTokens: 1 },
      'params.messages[0].content.type must be one of text, image, audio, tool_use, tool_result',
    ],
  ])('is told which parameter of a question is wrong: %s %j', (method, raw, message) => {
    expect(refusal(() => handshake.readServerRequest(method, raw))).toBe(message);
  });

  it('reads questions as the server meant them', () => {
    const asked = [
      { method: 'elicitation/create', params: askForm },
      { method: 'elicitation/create', params: askUrl },
      { method: 'sampling/createMessage', params: sample },
      { method: 'sampling/createMessage', params: sampleWithTools },
      { method: 'roots/list', params: {} },
    ] as const;
    for (const request of asked) {
      const { method, params: written } = handshake.writeServerRequest(request);
      const read = handshake.readServerRequest(method as ServerMethod, written && travelled(written));
      const again = handshake.writeServerRequest({ method: request.method, params: read });
      expect(travelled(again)).toEqual(travelled(handshake.writeServerRequest(request)));
    }
  });

  it('answers questions as the server reads them', () => {
    const form = { method: 'elicitation/create', params: askForm } as const;
    const accepted = { action: 'accept', content: { name: 'Oslo' } } as const;
    const message = {
      role: 'assistant',
      model: 'small',
      content: [{ type: 'text', text: 'Rain.' }],
      stopReason: 'endTurn',
    } as const;
    const roots = { roots: [{ uri: 'file:///work', name: 'work' }] };
    for (const revision of [handshake, newest]) {
      const answer = travelled(revision.writeServerResult('elicitation/create', accepted));
      expect(revision.readServerResult(form, answer)).toEqual(accepted);
      expect(revision.writeServerResult('elicitation/create', { action: 'decline' })).toEqual({ action: 'decline' });
      const said = travelled(revision.writeServerResult('sampling/createMessage', message));
      expect(revision.readServerResult({ method: 'sampling/createMessage', params: sample }, said)).toEqual(message);
      const listed = travelled(revision.writeServerResult('roots/list', roots));
      expect(revision.readServerResult({ method: 'roots/list', params: {} }, listed)).toEqual(roots);
    }
  });
});

describe('an operation from outside', () => {
  interface CountParams {
    readonly words: string;
  }
  const COUNT: Operation<'words/count', CountParams, { readonly count: number }> = {
    method: 'words/count',
    nameParameter: 'words',
    mayAsk: true,
    isCacheable: true,
    compile: ({ rules }) => ({
      readParams: ({ words }) => ({ words: typeof words === 'string' ? words : '' }),
      writeParams: ({ words }) => ({ words }),
      writeResult: ({ count }) => ({ count, by: rules.version }),
      readResult: ({ count }) => ({ count: Number(count) }),
    }),
  };
  const base = ALL_RULES.at(-1)!;
  const extended = compileRevision(extendRevision(base, { version: '2027-01-01', adds: { requests: [COUNT] } }));
  // Only the operations of the specification have a name in the types.
  const method = COUNT.method as unknown as Method;

  it('is known to a revision, with its name header, its hints and its questions', () => {
    expect(extended.requests).toContain('words/count');
    expect(extended.http.nameHeader.get('words/count')).toBe('words');
    expect(extended.mayAsk).toContain('words/count');
    expect(extended.readRetry('words/count', { requestState: 'x' })).toEqual({ inputResponses: {}, requestState: 'x' });
    expect(compileRevision(base).requests).not.toContain('words/count');
  });

  it('is read and written as the others are', () => {
    expect(extended.readRequest(method, { words: 'a b' })).toEqual({ words: 'a b' });
    const written = extended.writerFor(server).writeResult(method, { count: 2 });
    expect(written).toMatchObject({
      resultType: 'complete',
      count: 2,
      by: '2027-01-01',
      ttlMs: 0,
      cacheScope: 'private',
    });
    expect(extended.readResult(method, { count: 2 })).toEqual({ count: 2 });
  });

  it('is refused by a revision that does not have it', () => {
    const old = compileRevision(base);
    expect(() => old.readRequest(method, {})).toThrow('Revision 2026-07-28 has no method words/count');
    expect(() => old.writerFor(server).writeResult(method, {})).toThrow('has no method words/count');
  });
});

it('has one name for each operation, and each is part of a revision', () => {
  const names = [...ALL_OPERATIONS, ...ALL_SERVER_OPERATIONS].map(({ method }) => method);
  expect(new Set(names).size).toBe(names.length);
  const served = new Set(ALL_RULES.flatMap(({ requests, serverRequests }) => [...requests, ...serverRequests]));
  for (const operation of [...ALL_OPERATIONS, ...ALL_SERVER_OPERATIONS]) expect(served).toContain(operation);
});
