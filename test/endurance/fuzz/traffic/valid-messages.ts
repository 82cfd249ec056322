/** Everything that a client may send, in each revision, about what a server offers. */
import fc from 'fast-check';
import { ALONE_META } from '../../../support/transcript';
import { valuesFor } from './odd-values';
import type { Catalog } from './catalog';

/** The revisions, oldest first. */
export const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
/** One of them. */
export type Revision = (typeof REVISIONS)[number];
/** The one whose requests stand alone. */
export const NEWEST: Revision = '2026-07-28';

/** What clients say of themselves. */
export const CAPABILITIES = { roots: { listChanged: true }, sampling: {}, elicitation: { form: {}, url: {} } };
const PLAIN_CAPABILITIES = { roots: {}, sampling: {}, elicitation: {} };

interface Plain {
  readonly method: string;
  readonly params?: object;
}

/** The first request of a conversation. */
export function openingOf(revision: Revision): object {
  const capabilities = revision >= '2025-11-25' ? CAPABILITIES : PLAIN_CAPABILITIES;
  return {
    jsonrpc: '2.0',
    id: 'open',
    method: 'initialize',
    params: { protocolVersion: revision, capabilities, clientInfo: { name: 'fuzz', version: '1' } },
  };
}

const id = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 30 }) },
  { weight: 2, arbitrary: fc.constantFrom('a', 'b', '1', '') },
);
const token = fc.oneof(fc.nat({ max: 5 }), fc.constantFrom('p', 'q'));
const cursor = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  fc.constantFrom({ cursor: 'made up' }, { cursor: '' }),
);

/** One message of a client. */
export function validMessage(revision: Revision, catalog: Catalog): fc.Arbitrary<object> {
  const requests = fc
    .tuple(id, requestOf(revision, catalog), fc.option(token, { freq: 3 }), level)
    .map(([requestId, { method, params }, progressToken, logLevel]) => ({
      jsonrpc: '2.0',
      id: requestId,
      method,
      ...withMeta(revision, params, {
        ...(progressToken !== null && { progressToken }),
        ...(revision === NEWEST && logLevel !== null && { 'io.modelcontextprotocol/logLevel': logLevel }),
      }),
    }));
  const notifications = notificationOf(revision).map((plain) => ({ jsonrpc: '2.0', ...plain }));
  const single = fc.oneof({ weight: 8, arbitrary: requests }, { weight: 1, arbitrary: notifications });
  if (revision !== '2025-03-26') return single;
  return fc.oneof(
    { weight: 6, arbitrary: single },
    { weight: 1, arbitrary: fc.array(single, { minLength: 1, maxLength: 4 }) },
  );
}

const level = fc.option(fc.constantFrom('debug', 'info', 'error'), { freq: 2 });

function withMeta(revision: Revision, params: object | undefined, more: object): { params?: object } {
  if (revision === NEWEST)
    return {
      params: {
        ...params,
        _meta: { ...ALONE_META, ...more, 'io.modelcontextprotocol/clientCapabilities': CAPABILITIES },
      },
    };
  if (Object.keys(more).length > 0) return { params: { ...params, _meta: more } };
  return params ? { params } : {};
}

function requestOf(revision: Revision, catalog: Catalog): fc.Arbitrary<Plain> {
  const both = [
    { weight: 10, arbitrary: toolCall(catalog) },
    { weight: 3, arbitrary: read(catalog) },
    { weight: 3, arbitrary: promptGet(catalog) },
    { weight: 2, arbitrary: complete(catalog) },
    ...['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list'].map((method) => ({
      weight: 1,
      arbitrary: cursor.map((params) => ({ method, params })),
    })),
  ];
  const own = revision === NEWEST ? newestRequests(catalog) : handshakeRequests(catalog);
  return fc.oneof(...both, { weight: 4, arbitrary: own });
}

function handshakeRequests({ resources }: Catalog): fc.Arbitrary<Plain> {
  const uri = fc.constantFrom(...resources.map((resource) => resource.uri), 'nothing://here');
  return fc.oneof(
    fc.constant({ method: 'ping' }),
    fc.constantFrom('debug', 'info', 'warning', 'emergency').map((loudest) => ({
      method: 'logging/setLevel',
      params: { level: loudest },
    })),
    fc.tuple(fc.constantFrom('resources/subscribe', 'resources/unsubscribe'), uri).map(([method, watched]) => ({
      method,
      params: { uri: watched },
    })),
    fc.constantFrom(...REVISIONS.slice(0, 4)).map((protocolVersion) => ({
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'again', version: '1' } },
    })),
  );
}

function newestRequests({ resources }: Catalog): fc.Arbitrary<Plain> {
  const wishes = fc.record(
    {
      toolsListChanged: fc.boolean(),
      promptsListChanged: fc.boolean(),
      resourceSubscriptions: fc.array(fc.constantFrom(...resources.map(({ uri }) => uri)), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  return fc.oneof(
    fc.constant({ method: 'server/discover' }),
    wishes.map((notifications) => ({ method: 'subscriptions/listen', params: { notifications } })),
    fc.constantFrom('ping', 'initialize', 'resources/subscribe', 'tasks/get').map((method) => ({ method, params: {} })),
  );
}

function notificationOf(revision: Revision): fc.Arbitrary<Plain> {
  const cancelled = id.map((requestId) => ({
    method: 'notifications/cancelled',
    params: { requestId, reason: 'enough' },
  }));
  if (revision === NEWEST) return cancelled;
  const progress = token.map((progressToken) => ({
    method: 'notifications/progress',
    params: { progressToken, progress: 1 },
  }));
  const plain = fc.constantFrom(
    'notifications/initialized',
    'notifications/roots/list_changed',
    'notifications/unheard',
  );
  return fc.oneof(
    { weight: 3, arbitrary: cancelled },
    progress,
    plain.map((method) => ({ method })),
  );
}

function toolCall({ tools }: Catalog): fc.Arbitrary<Plain> {
  return fc
    .oneof(...tools.map(({ name, inputSchema }) => fc.tuple(fc.constant(name), valuesFor(inputSchema))))
    .map(([name, args]) => ({ method: 'tools/call', params: { name, arguments: args } }));
}

function read({ resources, resourceTemplates }: Catalog): fc.Arbitrary<Plain> {
  const filled = resourceTemplates.map(({ uriTemplate }) => uriTemplate.replace(/\{[^}]*\}/g, 'one'));
  return fc
    .constantFrom(...resources.map(({ uri }) => uri), ...filled, 'nothing://here', 'no uri')
    .map((uri) => ({ method: 'resources/read', params: { uri } }));
}

function promptGet({ prompts }: Catalog): fc.Arbitrary<Plain> {
  const value = fc.constantFrom('a', 'test', 'hostile://here', '');
  return fc
    .tuple(fc.constantFrom(...prompts), fc.array(value, { minLength: 4, maxLength: 4 }), fc.boolean())
    .map(([{ name, arguments: known = [] }, values, whole]) => {
      const given = known.slice(0, whole ? known.length : 1).map((argument, index) => [argument.name, values[index]]);
      return { method: 'prompts/get', params: { name, arguments: Object.fromEntries(given) as object } };
    });
}

function complete({ prompts, resourceTemplates }: Catalog): fc.Arbitrary<Plain> {
  const references = [
    ...prompts.map(({ name }) => ({ type: 'ref/prompt', name })),
    ...resourceTemplates.map(({ uriTemplate }) => ({ type: 'ref/resource', uri: uriTemplate })),
    { type: 'ref/prompt', name: 'nothing' },
  ];
  const argument = fc.record({
    name: fc.constantFrom('word', 'key', 'id', 'arg1', 'nothing'),
    value: fc.constantFrom('', 't', 'x'.repeat(40)),
  });
  return fc
    .tuple(fc.constantFrom(...references), argument)
    .map(([ref, of]) => ({ method: 'completion/complete', params: { ref, argument: of } }));
}
