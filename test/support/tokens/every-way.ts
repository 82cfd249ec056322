/** Every way into an endpoint: each verb, route and method of each revision. */
import { ALL_REVISIONS, META_KEYS } from '@sigil-mcp/protocol';

/** What came back, as far as a gate decides it. */
export interface Seen {
  readonly status: number;
  readonly challenge: string | null;
  /** The body; empty for one that goes on for as long as its client wants. */
  readonly text: string;
}

/** One way in. */
export interface Way {
  readonly name: string;
  /** @param authorization the header; undefined for none */
  send(authorization: string | undefined): Promise<Seen>;
}

const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const NEWEST = '2026-07-28';
const HTTP_SSE = 'HTTP+SSE';
/** All that `everyWay` takes. */
export const REVISIONS = [...ALL_REVISIONS.map(({ version }) => version), HTTP_SSE];
const BATCHING = '2025-03-26';
const META = { [META_KEYS.protocolVersion]: NEWEST, [META_KEYS.clientCapabilities]: {} };

type Ask = readonly [method: string, params?: Readonly<Record<string, unknown>>];

const COMMON: readonly Ask[] = [
  ['tools/list'],
  ['tools/call', { name: 'count', arguments: {} }],
  ['resources/list'],
  ['resources/templates/list'],
  ['resources/read', { uri: 'notes://all' }],
  ['prompts/list'],
  ['prompts/get', { name: 'sumUp' }],
];
const COMPLETE: Ask = [
  'completion/complete',
  { ref: { type: 'ref/resource', uri: 'notes://by/{title}' }, argument: { name: 'title', value: 'm' } },
];
const IN_SESSIONS: readonly Ask[] = [
  ['ping'],
  ...COMMON,
  ['resources/subscribe', { uri: 'notes://all' }],
  ['resources/unsubscribe', { uri: 'notes://all' }],
  ['logging/setLevel', { level: 'info' }],
];
const ALONE: readonly Ask[] = [
  ['server/discover'],
  ...COMMON,
  COMPLETE,
  ['subscriptions/listen', { notifications: { toolsListChanged: true } }],
];
const TOLD: readonly Ask[] = [['notifications/initialized'], ['notifications/cancelled', { requestId: 'unknown' }]];

/** Tries the ways of a revision, or those of HTTP+SSE; `good` is a header that opens the session which they need. */
export async function everyWay(
  url: string,
  revision: string,
  good: string,
  use: (way: Way) => Promise<void>,
): Promise<void> {
  const useAll = async (ways: readonly Way[]): Promise<void> => {
    for (const each of ways) await use(each);
  };
  if (revision === HTTP_SSE) return waysOfHttpSse(url, good, useAll);
  return useAll(revision === NEWEST ? waysAlone(url) : await waysInSession(url, revision, good));
}

/** Those of HTTP+SSE, while its stream is open. */
async function waysOfHttpSse(url: string, good: string, use: (ways: readonly Way[]) => Promise<void>): Promise<void> {
  const stream = new URL('/sse', url).href;
  const { signal, abort } = abortable();
  const opened = await fetch(stream, { headers: { authorization: good, accept: 'text/event-stream' }, signal });
  const first = new TextDecoder().decode((await opened.body?.getReader().read())?.value);
  const endpoint = new URL(/data: (.*)/.exec(first)?.[1] ?? '', url).href;
  await use([
    way('of HTTP+SSE', stream, { method: 'GET' }),
    way('of HTTP+SSE', endpoint, post({ jsonrpc: '2.0', method: 'notifications/initialized' })),
  ]);
  abort();
}

function abortable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function waysAlone(url: string): readonly Way[] {
  return ALONE.map(([method, params = {}]) => {
    const name = params['name'] ?? params['uri'];
    const headers = {
      'mcp-protocol-version': NEWEST,
      'mcp-method': method,
      ...(typeof name === 'string' && { 'mcp-name': name }),
    };
    return way(method, url, post({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }, headers));
  });
}

async function waysInSession(url: string, revision: string, good: string): Promise<readonly Way[]> {
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'table', version: '1.0.0' } };
  const initialize = post({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello });
  const opened = await fetch(url, { ...initialize, headers: { ...initialize.headers, authorization: good } });
  await opened.text();
  const id = opened.headers.get('mcp-session-id');
  const session = { 'mcp-protocol-version': revision, ...(id !== null && { 'mcp-session-id': id }) };
  const asked = [...IN_SESSIONS, ...(revision >= BATCHING ? [COMPLETE] : [])];
  const batch = [1, 2].map((each) => ({ jsonrpc: '2.0', id: each, method: 'ping' }));
  return [
    way('initialize', url, initialize),
    ...asked.map(([method, params]) => way(method, url, post({ jsonrpc: '2.0', id: 1, method, params }, session))),
    ...TOLD.map(([method, params]) => way(method, url, post({ jsonrpc: '2.0', method, params }, session))),
    way('a response', url, post({ jsonrpc: '2.0', id: 'unknown', result: {} }, session)),
    ...(revision === BATCHING ? [way('a batch', url, post(batch, session))] : []),
    way('GET', url, { method: 'GET', headers: { ...session, accept: 'text/event-stream' } }),
    // Last, because a good token ends the session with it.
    way('DELETE', url, { method: 'DELETE', headers: session }),
  ];
}

interface Sent {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function post(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  return { method: 'POST', headers: { ...MANNERS, ...headers }, body: JSON.stringify(body) };
}

function way(name: string, url: string, { headers = {}, ...sent }: Sent): Way {
  return {
    name: `${sent.method} ${name}`,
    async send(authorization) {
      const { signal, abort } = abortable();
      const all = { ...headers, ...(authorization !== undefined && { authorization }) };
      const response = await fetch(url, { ...sent, headers: all, signal });
      const goesOn = response.ok && (sent.method === 'GET' || name === 'subscriptions/listen');
      const text = goesOn ? '' : await response.text();
      abort();
      return { status: response.status, challenge: response.headers.get('www-authenticate'), text };
    },
  };
}
