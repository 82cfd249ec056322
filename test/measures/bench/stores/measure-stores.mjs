/** What sessions cost the Redis that instances share: bytes that it holds, and commands that it is sent. */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Instance } from './instance.mjs';
import { RedisProcess } from './redis-process.mjs';

const { issuer } = createRequire(import.meta.url)('@sigil-mcp/testing');

/** Sessions that are opened; so many that what Redis holds for other reasons does not count. */
const SESSIONS = 5000;
/** Times that something is done to count its commands. */
const TIMES = 50;
const SECONDS = 12;
const BOTH = 'application/json, text/event-stream';
const HANDSHAKE = '2025-11-25';
const RESOURCE = 'http://127.0.0.1/mcp';

/**
 * @returns `sizes` of sessions `{ what, text, key, all }`: characters of the record, bytes of its key, and of all that Redis holds for it;
 * `stream`, bytes of a stream of four events that is kept; `commands` of what clients do `{ what, counts }`, each once; `pulse`, commands a
 * second of an instance to which nobody speaks
 */
export async function measureStores() {
  const redis = await RedisProcess.start();
  const id = await issuer({ audience: RESOURCE });
  const env = { REDIS_URL: redis.url, SIGIL_SECRETS: 'a secret that is good for measuring' };
  const [open, named] = await Promise.all([
    Instance.start('everything', env),
    Instance.start('secured', { ...env, ISSUER: id.url, RESOURCE }),
  ]);
  try {
    const headers = { authorization: `Bearer ${id.token({ sub: 'ada', scope: 'notes:read', clientId: 'bench' })}` };
    const pulse = await pulseOf(redis);
    const sizes = [
      { what: 'nobody is named, no stream', ...(await sizeOf(redis, () => openRaw(open.url))) },
      { what: 'of a principal, no stream', ...(await sizeOf(redis, () => openRaw(named.url, headers))) },
      { what: 'official client 2, its stream open', ...(await sizeOf(redis, () => openOfficial(open.url), 1000)) },
    ];
    return { sizes, pulse, commands: await commandsOf(redis, open.url), stream: await sizeOfStream(redis, open.url) };
  } finally {
    await Promise.all([open.stop(), named.stop()]);
    await Promise.all([redis.stop(), id.close()]);
  }
}

/** Redis holds more for a key than the key: its places in the tables of keys and of times. */
async function sizeOf(redis, openSession, count = SESSIONS) {
  await openSession();
  const logs = [...(await redis.client.keys('*:all')), ...(await redis.client.keys('*:changes'))];
  const before = await redis.bytes(logs);
  const known = new Set(await sessionKeys(redis));
  const opened = [];
  for (let each = 0; each < count; each++) opened.push(await openSession());
  const all = ((await redis.bytes(logs)) - before) / count;
  const [key] = (await sessionKeys(redis)).filter((each) => !known.has(each));
  const size = {
    key: await redis.client.memoryUsage(key, { SAMPLES: 0 }),
    text: (await redis.client.get(key)).length,
    all,
  };
  for (const session of opened) await session.close?.();
  return size;
}

/** Of a call that says three things before its result. */
async function sizeOfStream(redis, url) {
  const session = await openRaw(url);
  const call = { name: 'test_tool_with_progress', arguments: {}, _meta: { progressToken: 1 } };
  const known = new Set(await redis.client.keys('*:[eo]:*'));
  await session.post({ id: 2, method: 'tools/call', params: call });
  const keys = (await redis.client.keys('*:[eo]:*')).filter((key) => !known.has(key));
  const sizes = await Promise.all(keys.map((key) => redis.client.memoryUsage(key, { SAMPLES: 0 })));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function commandsOf(redis, url) {
  const session = await openRaw(url);
  const call = (name, _meta) => ({
    id: 2,
    method: 'tools/call',
    params: { name, arguments: {}, ...(_meta && { _meta }) },
  });
  const stateless = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const newest = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'test_simple_text' };
  const acts = [
    ['initialize, initialized', () => openRaw(url)],
    ['a call, answered with JSON', () => session.post(call('test_simple_text'))],
    ['a call of 2026-07-28', () => post(url, newest, call('test_simple_text', stateless))],
    [
      'a call with three messages, answered with a stream',
      () => session.post(call('test_tool_with_progress', { progressToken: 1 })),
    ],
    [
      'a subscription',
      (index) =>
        session.post({ id: 3, method: 'resources/subscribe', params: { uri: `test://template/${index}/data` } }),
    ],
    [
      'a level',
      (index) => session.post({ id: 4, method: 'logging/setLevel', params: { level: index % 2 ? 'info' : 'error' } }),
    ],
    ['a change of a list', () => session.post(call('test_trigger_tool_change'))],
    ['the stream of changes, opened and left', () => session.listen()],
    ['initialize, initialized, DELETE', () => openRaw(url).then(({ close }) => close())],
  ];
  const counted = [];
  for (const [what, act] of acts) {
    const counts = await redis.commandsOf(async () => {
      for (let each = 0; each < TIMES; each++) await act(each);
    });
    // The pulses of the instances are far fewer than one for each time.
    const each = Object.entries(counts).map(([name, count]) => [name, Math.round(count / TIMES)]);
    counted.push({ what, counts: Object.fromEntries(each.filter(([, count]) => count > 0)) });
  }
  return counted;
}

async function pulseOf(redis) {
  const counts = await redis.commandsOf(() => sleep(SECONDS * 1000));
  return Object.values(counts).reduce((sum, count) => sum + count, 0) / SECONDS / 2;
}

async function sessionKeys(redis) {
  return redis.client.keys('*:s');
}

/** A session of a client that opens no stream. */
async function openRaw(url, headers = {}) {
  const clientInfo = { name: 'claude-code', title: 'Claude Code', version: '2.0.14' };
  const capabilities = { roots: { listChanged: true }, sampling: {}, elicitation: {} };
  const params = { protocolVersion: HANDSHAKE, capabilities, clientInfo };
  const opened = await post(url, headers, { id: 1, method: 'initialize', params });
  const session = {
    ...headers,
    'mcp-session-id': opened.headers.get('mcp-session-id'),
    'mcp-protocol-version': HANDSHAKE,
  };
  await post(url, session, { method: 'notifications/initialized' });
  return {
    post: (message) => post(url, session, message),
    listen: () => openAndLeave(url, session),
    close: () => globalThis.fetch(url, { method: 'DELETE', headers: session }),
  };
}

/** What the server does when the client has left is part of it. */
async function openAndLeave(url, headers) {
  const left = new globalThis.AbortController();
  const { ok } = await globalThis.fetch(url, { headers: { ...headers, accept: BOTH }, signal: left.signal });
  if (!ok) throw new Error('The stream is held by somebody.');
  left.abort();
  await sleep(20);
}

/** The official client holds a stream as long as it is there. */
async function openOfficial(url) {
  const client = new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

async function post(url, headers, message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  const all = { 'content-type': 'application/json', accept: BOTH, ...headers };
  const response = await globalThis.fetch(url, { method: 'POST', headers: all, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status}: ${text}`);
  return response;
}
