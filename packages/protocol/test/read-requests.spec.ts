import type { JsonObject, Method, Revision } from '@sigil-mcp/protocol';
import {
  ALL_REVISIONS,
  HANDSHAKE_REVISIONS,
  NEWEST_HANDSHAKE_REVISION,
  ProtocolError,
  findRevision,
} from '@sigil-mcp/protocol';
import { deepFreeze } from './rich-values';

/** The message of the refusal; fails the test when there is none. */
function refusal(revision: Revision, method: Method, params?: JsonObject): string {
  try {
    revision.readRequest(method, params && deepFreeze(params));
  } catch (error) {
    if (error instanceof ProtocolError && error.error === 'invalid-params') return error.message;
    throw error;
  }
  throw new Error(`${method} was read`);
}

const revisions = ALL_REVISIONS.map((revision) => [revision.version, revision] as const);

describe.each(revisions)('readRequest of %s', (_version, revision) => {
  const read = <M extends Method>(method: M, params?: JsonObject) => revision.readRequest(method, params);

  it('reads pages of lists, with and without a cursor', () => {
    for (const method of ['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'] as const) {
      expect(read(method)).toEqual({});
      expect(read(method, { cursor: '' })).toEqual({ cursor: '' });
      for (const cursor of [1, null, {}]) {
        expect(refusal(revision, method, { cursor })).toBe('params.cursor must be a string');
      }
    }
  });

  it('reads the call of a tool, its arguments as they came [TOOL-022]', () => {
    const params = JSON.parse('{"name":"a","arguments":{"__proto__":{"b":1},"constructor":2}}') as JsonObject;
    const { arguments: args } = read('tools/call', params);
    expect(args).toBe(params['arguments']);
    expect(Object.keys(args)).toEqual(['__proto__', 'constructor']);
    expect(read('tools/call', { name: 'a' })).toEqual({ name: 'a', arguments: {} });
    for (const wrong of [null, [1], 'text', 5]) {
      expect(refusal(revision, 'tools/call', { name: 'a', arguments: wrong })).toBe(
        'params.arguments must be an object',
      );
    }
    for (const params of [undefined, {}, { name: 5 }]) {
      expect(refusal(revision, 'tools/call', params)).toBe('params.name must be a string');
    }
  });

  it('reads the URI of a resource', () => {
    expect(read('resources/read', { uri: 'a:b' })).toEqual({ uri: 'a:b' });
    expect(refusal(revision, 'resources/read', {})).toBe('params.uri must be a string');
  });

  it('reads the arguments of a prompt, which are strings', () => {
    expect(read('prompts/get', { name: 'a' })).toEqual({ name: 'a', arguments: {} });
    expect(read('prompts/get', { name: 'a', arguments: { city: 'Oslo' } })).toEqual({
      name: 'a',
      arguments: { city: 'Oslo' },
    });
    expect(refusal(revision, 'prompts/get', { name: 'a', arguments: { days: 3 } })).toBe(
      'params.arguments.days must be a string',
    );
    expect(refusal(revision, 'prompts/get', { name: 'a', arguments: null })).toBe('params.arguments must be an object');
    expect(refusal(revision, 'prompts/get', { arguments: {} })).toBe('params.name must be a string');
  });

  it('reads both kinds of reference for completion [COMPL-003]', () => {
    const argument = { name: 'city', value: 'O' };
    const prompt = { type: 'ref/prompt', name: 'plan' };
    const resource = { type: 'ref/resource', uri: 'weather://{city}' };
    expect(read('completion/complete', { ref: prompt, argument })).toEqual({ ref: prompt, argument, previous: {} });
    expect(read('completion/complete', { ref: resource, argument })).toEqual({ ref: resource, argument, previous: {} });
  });

  it('names what is wrong with a completion', () => {
    const ref = { type: 'ref/prompt', name: 'plan' };
    const argument = { name: 'city', value: 'O' };
    const wrong = (params: JsonObject) => refusal(revision, 'completion/complete', params);
    expect(wrong({ argument })).toBe('params.ref must be an object');
    expect(wrong({ ref: { type: 'ref/tool' }, argument })).toBe(
      'params.ref.type must be "ref/prompt" or "ref/resource"',
    );
    expect(wrong({ ref: { type: 'ref/prompt' }, argument })).toBe('params.ref.name must be a string');
    expect(wrong({ ref: { type: 'ref/resource' }, argument })).toBe('params.ref.uri must be a string');
    expect(wrong({ ref })).toBe('params.argument must be an object');
    expect(wrong({ ref, argument: { name: 'city' } })).toBe('params.argument.value must be a string');
  });
});

describe('readRequest', () => {
  const params = {
    ref: { type: 'ref/prompt', name: 'plan' },
    argument: { name: 'city', value: 'O' },
    context: { arguments: { country: 'Norway' } },
  };

  it('reads the context of a completion from 2025-06-18 on', () => {
    const previous = ALL_REVISIONS.map((revision) => revision.readRequest('completion/complete', params).previous);
    expect(previous).toEqual([{}, {}, { country: 'Norway' }, { country: 'Norway' }, { country: 'Norway' }]);
  });

  it('minds the context of a completion only where it is known', () => {
    const wrong = { ...params, context: { arguments: { country: 5 } } };
    expect(findRevision('2025-03-26')!.readRequest('completion/complete', wrong)).toMatchObject({ previous: {} });
    expect(refusal(NEWEST_HANDSHAKE_REVISION, 'completion/complete', wrong)).toBe(
      'params.context.arguments.country must be a string',
    );
    expect(NEWEST_HANDSHAKE_REVISION.readRequest('completion/complete', { ...params, context: {} }).previous).toEqual(
      {},
    );
  });

  it('knows eight levels of logging [LOG-003] [LOG-007]', () => {
    for (const level of ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']) {
      expect(NEWEST_HANDSHAKE_REVISION.readRequest('logging/setLevel', { level })).toEqual({ level });
    }
    for (const level of ['verbose', 5, null, 'constructor']) {
      expect(refusal(NEWEST_HANDSHAKE_REVISION, 'logging/setLevel', { level })).toMatch(
        /^params\.level must be one of debug, /,
      );
    }
    expect(refusal(NEWEST_HANDSHAKE_REVISION, 'logging/setLevel')).toMatch(/^params\.level/);
  });

  it('reads an initialize, and passes on all that it says', () => {
    const initialize = deepFreeze({
      protocolVersion: '2025-06-18',
      capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {}, experimental: { a: {} }, other: 1 },
      clientInfo: { name: 'c', version: '1', title: 'C', icons: [{ src: 'a:b' }] },
    });
    for (const revision of HANDSHAKE_REVISIONS) {
      expect(revision.readRequest('initialize', initialize)).toEqual(initialize);
    }
  });

  it('names what is wrong with an initialize', () => {
    const good = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
    const wrong = (change: JsonObject) => refusal(NEWEST_HANDSHAKE_REVISION, 'initialize', { ...good, ...change });
    expect(refusal(NEWEST_HANDSHAKE_REVISION, 'initialize')).toBe('params.protocolVersion must be a string');
    expect(wrong({ protocolVersion: 1 })).toBe('params.protocolVersion must be a string');
    expect(wrong({ capabilities: null })).toBe('params.capabilities must be an object');
    expect(wrong({ capabilities: { elicitation: true } })).toBe('params.capabilities.elicitation must be an object');
    expect(wrong({ capabilities: { elicitation: { form: 1 } } })).toBe(
      'params.capabilities.elicitation.form must be an object',
    );
    expect(wrong({ capabilities: { roots: { listChanged: 1 } } })).toBe(
      'params.capabilities.roots.listChanged must be a boolean',
    );
    expect(wrong({ capabilities: { extensions: { a: 1 } } })).toBe(
      'params.capabilities.extensions.a must be an object',
    );
    expect(wrong({ clientInfo: [] })).toBe('params.clientInfo must be an object');
    expect(wrong({ clientInfo: { name: 'c' } })).toBe('params.clientInfo.version must be a string');
    expect(wrong({ clientInfo: { ...good.clientInfo, title: 1 } })).toBe('params.clientInfo.title must be a string');
    expect(wrong({ clientInfo: { ...good.clientInfo, icons: [1] } })).toBe(
      'params.clientInfo.icons must be an array of icons',
    );
  });

  it('reads nothing from requests without parameters', () => {
    expect(NEWEST_HANDSHAKE_REVISION.readRequest('ping', { a: 1 })).toEqual({});
    expect(findRevision('2026-07-28')!.readRequest('server/discover', { a: 1 })).toEqual({});
  });
});
