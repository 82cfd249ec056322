/** What travels beside the payload: metadata keys, and who the client says it is. */
import { until } from '../../support/until';
import type { Message } from '../../support/transcript';
import { HANDSHAKES, meetOnce, PER_REQUEST, VERSIONED, wireKinds } from './met-servers';
import type { Wire } from './wire';

const label = '[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const metaKey = new RegExp(`^(?:((?:${label}\\.)*${label})/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`);
/** What the specification itself defines under the prefixes that are its own. */
const defined = new Set(['io.modelcontextprotocol/serverInfo']);

/** Every `_meta` key in a message, however deep. */
function metaKeysOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === '_meta' && typeof inner === 'object' && inner !== null ? Object.keys(inner) : []),
    ...metaKeysOf(inner),
  ]);
}

const requests: [string, object][] = [
  ['tools/list', {}],
  ['tools/call', { name: 'forecast', arguments: { city: 'Lima', from: '2026-05-05' } }],
  ['tools/call', { name: 'forecast', arguments: { city: 'Lime' } }],
  ['tools/call', { name: 'forecats' }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'weather://Lima/climate' }],
  ['resources/read', { uri: 'weather://Lime/climate' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'planTrip', arguments: { city: 'Lima', month: 'May' } }],
];

/** Sends every request, with metadata of its own if there is any. */
async function askEverything(server: Wire, meta?: object): Promise<Message[]> {
  const answers: Message[] = [];
  for (const [method, params] of requests)
    answers.push(await server.request(method, meta ? { ...params, _meta: meta } : params));
  return answers;
}

/** An answer without what differs from process to process. */
const payloadOf = ({ result, error }: Message): unknown => ({ result, error });

describe.each(wireKinds())('metadata, $title', (wires) => {
  const meet = meetOnce(wires);

  it.each([...HANDSHAKES, PER_REQUEST])(
    'is written under keys of the grammar, under no prefix of MCP but its own [BASE-035, BASE-036] (%s)',
    async (revision) => {
      const { server } = await meet('weather', revision);
      await askEverything(server, revision === PER_REQUEST ? VERSIONED : undefined);
      const keys = server.messages.flatMap(metaKeysOf);
      expect(keys.length > 0).toBe(revision === PER_REQUEST);
      for (const key of keys) {
        expect(key).toMatch(metaKey);
        const [, reserved] = /^[^./]+\.(modelcontextprotocol|mcp)(?:\.[^/]*)?\//.exec(key) ?? [];
        expect([key, reserved === undefined || defined.has(key)]).toEqual([key, true]);
      }
    },
  );

  it('under reserved keys that the server does not know changes nothing [BASE-034]', async () => {
    const { server } = await meet('weather', PER_REQUEST);
    const plain = await askEverything(server, VERSIONED);
    const strange = {
      ...VERSIONED,
      'io.modelcontextprotocol/unheard-of': [{ deep: null }],
      'dev.mcp/x': 1,
      'a.b/c': '',
    };
    expect((await askEverything(server, strange)).map(payloadOf)).toEqual(plain.map(payloadOf));
  });

  it('about the client changes nothing in the answers [BASE-026, BASE-033]', async () => {
    const { server } = await meet('weather', PER_REQUEST);
    const unnamed = await askEverything(server, VERSIONED);
    for (const name of ['claude-ai', 'admin', '']) {
      const named = { ...VERSIONED, 'io.modelcontextprotocol/clientInfo': { name, version: '9' } };
      expect((await askEverything(server, named)).map(payloadOf)).toEqual(unnamed.map(payloadOf));
    }
  });
});

describe.each(wireKinds())('a conversation, $title', (wires) => {
  const meet = meetOnce(wires);

  it.each(HANDSHAKES)(
    'holds what was negotiated: answers keep to the revision and its capabilities [LIFE-009] (%s)',
    async (revision) => {
      const { server, opening } = await meet('everything', revision);
      const { capabilities } = opening['result'] as { capabilities: object };
      expect(Object.keys(capabilities).includes('completions')).toBe(revision > '2024-11-05');
      const { result: called } = await server.request('tools/call', { name: 'test_simple_text' });
      expect(called).toEqual({ content: [{ type: 'text', text: expect.any(String) }], isError: false });
      const offered = { 'tools/list': 'tools', 'resources/list': 'resources', 'prompts/list': 'prompts' };
      for (const [method, capability] of Object.entries(offered)) {
        expect(capabilities).toHaveProperty(capability);
        expect(await server.request(method)).toHaveProperty('result');
      }
      for (const absent of ['tasks/list', 'tools/unheard-of']) {
        expect(await server.request(absent, { uri: 'test://watched-resource' })).toMatchObject({
          error: { code: -32601 },
        });
      }
    },
  );

  // The last one: it ends the server.
  it.each([...HANDSHAKES, PER_REQUEST])(
    'never cancels anything of a client that does not subscribe [CANCEL-009] (%s)',
    async (revision) => {
      const { server } = await meet('everything', revision);
      const meta = revision === PER_REQUEST ? { _meta: VERSIONED } : {};
      const running = { name: 'test_tool_with_progress', _meta: { ...meta._meta, progressToken: 'p' } };
      const cancelled = server.start('tools/call', running);
      await until(() => server.messages.some(({ method }) => method === 'notifications/progress'));
      server.cancel(cancelled);
      await server.request('tools/call', running);
      await server.end();
      expect(server.messages.filter(({ method }) => method === 'notifications/cancelled')).toEqual([]);
    },
  );
});
