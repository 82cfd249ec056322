/** How clients and servers meet, and what they may say when. */
import { MemoryTransport, createServer, type Server } from '@sigil-mcp/core';
import { validateMessage } from '../../support/supplies/judge-message';
import { turn } from '../../support/turn';
import { eachRevision } from './checked';
import { workshop } from './workshop';

const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const LAST_HANDSHAKE = '2025-11-25';
const NEWEST = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} };

const LISTS = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
};

type Message = { readonly [member: string]: unknown };

/** A client without manners: it sends what it is told and keeps what comes. */
async function rude(server: Server): Promise<{ send: (message: unknown) => Promise<Message[]>; all: Message[] }> {
  const transport = new MemoryTransport();
  await server.listen(transport);
  const all: Message[] = [];
  const pipe = transport.connect((text) => void all.push(JSON.parse(text) as Message));
  return {
    all,
    async send(message) {
      const before = all.length;
      pipe.send(typeof message === 'string' ? message : JSON.stringify(message));
      await turn();
      return all.slice(before);
    },
  };
}

const request = (id: unknown, method: string, params?: object): object => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params && { params }),
});
const initialize = (id: unknown, protocolVersion: unknown): object =>
  request(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'rude', version: '1' } });

describe('the handshake', () => {
  it.each(HANDSHAKES)(
    'repeats the version %s that the client asked for [LIFE-003, LIFE-004, LIFE-018]',
    async (version) => {
      const { send } = await rude(workshop({ instructions: 'Mind your fingers.' }));
      expect(await send(initialize(1, version))).toMatchObject([
        {
          jsonrpc: '2.0',
          id: 1,
          result: {
            protocolVersion: version,
            serverInfo: { name: 'workshop', version: '1.2.3' },
            instructions: 'Mind your fingers.',
          },
        },
      ]);
    },
  );

  it.each(['2020-01-01', '2099-01-01', NEWEST, 'nonsense', ''])(
    'offers its newest for the version %p [LIFE-005, LIFE-006, LIFE-007]',
    async (version) => {
      const { send } = await rude(workshop());
      expect(await send(initialize(1, version))).toMatchObject([{ result: { protocolVersion: LAST_HANDSHAKE } }]);
    },
  );

  it('refuses a malformed initialize, and takes the next one [LIFE-003]', async () => {
    const { send } = await rude(workshop());
    expect(await send(request(1, 'initialize'))).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    expect(
      await send(
        request(2, 'initialize', { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'a', version: '1' } }),
      ),
    ).toMatchObject([{ id: 2, error: { code: -32602 } }]);
    expect(await send(initialize(3, LAST_HANDSHAKE))).toMatchObject([{ id: 3, result: {} }]);
  });

  it('answers requests before initialize with an error, but ping with a result [LIFE-002, BASE-048]', async () => {
    const { send } = await rude(workshop());
    expect(await send(request(1, 'tools/list'))).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    expect(await send(request(2, 'ping'))).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
    expect(await send(initialize(3, LAST_HANDSHAKE))).toMatchObject([{ id: 3, result: {} }]);
    expect(await send(request(4, 'tools/list'))).toMatchObject([{ id: 4, result: { tools: expect.any(Array) } }]);
  });

  it('serves requests that follow initialize in the same breath', async () => {
    const { send, all } = await rude(workshop());
    void send(initialize(1, LAST_HANDSHAKE));
    await send(request(2, 'tools/list'));
    expect(all.map(({ id }) => id)).toEqual([1, 2]);
  });

  it('refuses a second initialize and keeps the first [LIFE-002]', async () => {
    const { send } = await rude(workshop());
    await send(initialize(1, '2025-03-26'));
    expect(await send(initialize(2, LAST_HANDSHAKE))).toMatchObject([{ id: 2, error: { code: -32600 } }]);
    expect(await send([request(3, 'ping')])).toMatchObject([[{ id: 3, result: {} }]]);
  });

  it('a refused initialize leaves nothing behind', async () => {
    const refuse = {
      intercept: (call: { method: string }, next: () => Promise<unknown>) =>
        call.method === 'initialize' ? Promise.reject(new Error('no')) : next(),
    };
    const { send } = await rude(workshop({ interceptors: [refuse] }));
    expect(await send(initialize(1, LAST_HANDSHAKE))).toMatchObject([{ id: 1, error: { code: -32603 } }]);
    expect(await send(request(2, 'tools/list'))).toMatchObject([{ id: 2, error: { code: -32600 } }]);
  });

  it.each(HANDSHAKES)('is answered also where the client takes it back, which none may (%s)', async (version) => {
    let proceed = (): void => undefined;
    const hold = {
      intercept: async (call: { method: string }, next: () => Promise<unknown>) => {
        if (call.method === 'initialize') await new Promise<void>((resolve) => (proceed = resolve));
        return next();
      },
    };
    const { send, all } = await rude(workshop({ interceptors: [hold] }));
    expect(await send(initialize(1, version))).toEqual([]);
    await send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, reason: 'impatient' } });
    void send(request(2, 'tools/list'));
    expect(all).toEqual([]);
    proceed();
    await send(request(3, 'ping'));
    expect(all).toMatchObject([
      { id: 1, result: { protocolVersion: version } },
      { id: 2, result: { tools: expect.any(Array) } },
      { id: 3, result: {} },
    ]);
  });

  eachRevision(
    'ping is answered with an empty result, where there is one [BASE-048]',
    async ({ connect }) => {
      const client = await connect(workshop());
      expect(await client.request('ping')).toEqual({});
    },
    { until: LAST_HANDSHAKE },
  );
});

describe('requests that name their revision', () => {
  it('are served before, beside and after a handshake on the same connection [LIFE-016, LIFE-017, BASE-029]', async () => {
    const { send } = await rude(workshop());
    const listed = { result: { resultType: 'complete', tools: expect.any(Array) } };
    expect(await send(request(1, 'tools/list', { _meta: META }))).toMatchObject([listed]);
    await send(initialize(2, '2024-11-05'));
    expect(await send(request(3, 'tools/list', { _meta: META }))).toMatchObject([listed]);
    const [handshake] = await send(request(4, 'tools/list'));
    expect(handshake).not.toHaveProperty('result.resultType');
  });

  it('get server/discover answered before anything else, with all that initialize would tell [DISC-001, DISC-002, DISC-003, DISC-004, DISC-005]', async () => {
    const { send } = await rude(workshop({ instructions: 'Mind your fingers.' }));
    expect(await send(request(1, 'server/discover', { _meta: META }))).toEqual([
      {
        jsonrpc: '2.0',
        id: 1,
        result: {
          resultType: 'complete',
          supportedVersions: [NEWEST],
          capabilities: { ...LISTS, completions: {}, logging: {} },
          instructions: 'Mind your fingers.',
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'workshop', version: '1.2.3' } },
        },
      },
    ]);
  });

  it('are refused without what each of them has to carry [BASE-025]', async () => {
    const { send } = await rude(workshop());
    expect(await send(request(1, 'server/discover'))).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    expect(await send(request(2, 'server/discover', { _meta: {} }))).toMatchObject([
      { id: 2, error: { code: -32602 } },
    ]);
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...incomplete } = META;
    expect(await send(request(3, 'tools/list', { _meta: incomplete }))).toMatchObject([
      { id: 3, error: { code: -32602 } },
    ]);
    expect(
      await send(request(4, 'tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': 7 } })),
    ).toMatchObject([{ id: 4, error: { code: -32602 } }]);
  });

  it('are not refused because they do not say who sends them [BASE-026]', async () => {
    const { send } = await rude(workshop());
    expect(await send(request(1, 'tools/list', { _meta: META }))).toMatchObject([
      { result: { tools: expect.any(Array) } },
    ]);
  });

  it('are told which versions there are when they name another [LIFE-014, DISC-006, BASE-022]', async () => {
    const { send } = await rude(workshop());
    for (const requested of ['v999.0.0', '2099-01-01', LAST_HANDSHAKE]) {
      const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': requested };
      expect(await send(request(1, 'tools/list', { _meta }))).toMatchObject([
        { id: 1, error: { code: -32022, data: { supported: [NEWEST], requested } } },
      ]);
    }
  });

  it('do not know the methods that their revision dropped [BASE-012, LIFE-017]', async () => {
    const { send } = await rude(workshop());
    for (const method of [
      'initialize',
      'ping',
      'logging/setLevel',
      'resources/subscribe',
      'resources/unsubscribe',
      'unknown/method',
    ]) {
      expect(await send(request(method, method, { _meta: META }))).toMatchObject([
        { id: method, error: { code: -32601 } },
      ]);
    }
  });

  eachRevision(
    'carry resultType and the identity of the server in each result; other revisions never see them [BASE-019, BASE-020, BASE-032]',
    async ({ connect, revision }) => {
      const client = await connect(workshop());
      for (const result of [
        await client.listTools(),
        await client.callTool('count'),
        await client.readResource('shop://plan'),
        await client.getPrompt('greet'),
      ]) {
        expect(result['resultType']).toBe(revision >= NEWEST ? 'complete' : undefined);
        const info = { 'io.modelcontextprotocol/serverInfo': { name: 'workshop', version: '1.2.3' } };
        if (revision >= NEWEST) expect(result['_meta']).toMatchObject(info);
        else expect(JSON.stringify(result)).not.toContain('serverInfo');
      }
    },
  );

  eachRevision(
    'may be cached as the server says; other revisions are told nothing of it [CACHE-001, CACHE-002]',
    async ({ connect, revision }) => {
      const client = await connect(workshop({ cache: { ttlMs: 60_000, cacheScope: 'public' } }));
      const cacheable = [
        await client.listTools(),
        await client.listPrompts(),
        await client.listResources(),
        await client.listResourceTemplates(),
        await client.readResource('shop://plan'),
      ];
      for (const result of cacheable) {
        if (revision >= NEWEST) expect(result).toMatchObject({ ttlMs: 60_000, cacheScope: 'public' });
        else expect(Object.keys(result)).not.toEqual(expect.arrayContaining(['ttlMs']));
      }
      expect(Object.keys(await client.callTool('count'))).not.toContain('ttlMs');
    },
  );
});

describe('what a server advertises', () => {
  eachRevision(
    'is what it answers [DISC-007, TOOL-001, RSRC-001, PROMPT-001, COMPL-001, BASE-013]',
    async ({ connect, revision }) => {
      const client = await connect(createServer({ name: 'empty', version: '1.0.0', logger: false }));
      const opening = JSON.parse(client.traffic[1]?.text ?? '') as { result: { capabilities: object } };
      expect(opening.result.capabilities).toEqual({ logging: {} });
      for (const method of [
        'tools/list',
        'tools/call',
        'resources/list',
        'prompts/list',
        'prompts/get',
        'completion/complete',
      ]) {
        await expect(client.request(method, { name: 'x' })).rejects.toMatchObject({ code: -32601 });
      }
      const full = await connect(workshop());
      const advertised = JSON.parse(full.traffic[1]?.text ?? '') as { result: { capabilities: object } };
      const completions = revision > '2024-11-05' ? { completions: {} } : {};
      expect(advertised.result.capabilities).toEqual({ ...LISTS, ...completions, logging: {} });
    },
  );

  eachRevision('describes the server as far as the revision has words for it', async ({ connect, revision }) => {
    const server = workshop({
      title: 'Workshop',
      description: 'Cuts wood',
      websiteUrl: 'https://workshop.example',
      icons: [{ src: 'https://workshop.example/i.png' }],
    });
    const client = await connect(server);
    const { result } = JSON.parse(client.traffic[1]?.text ?? '') as {
      result: { serverInfo?: object; _meta?: Record<string, object> };
    };
    const info = result.serverInfo ?? result._meta?.['io.modelcontextprotocol/serverInfo'];
    const keys = [
      'name',
      'version',
      ...(revision >= '2025-06-18' ? ['title'] : []),
      ...(revision >= '2025-11-25' ? ['description', 'icons', 'websiteUrl'] : []),
    ];
    expect(Object.keys(info ?? {}).sort()).toEqual(keys.sort());
  });
});

describe('messages that are none', () => {
  const cases: [string, string, Message][] = [
    ['malformed JSON [BASE-014]', '{"jsonrpc":', { error: { code: -32700 } }],
    ['an empty message [BASE-014]', '', { error: { code: -32700 } }],
    ['a wrong jsonrpc [BASE-015]', '{"jsonrpc":"1.0","id":1,"method":"ping"}', { id: 1, error: { code: -32600 } }],
    ['a missing jsonrpc [BASE-015]', '{"id":"a","method":"ping"}', { id: 'a', error: { code: -32600 } }],
    ['a null id [BASE-015]', '{"jsonrpc":"2.0","id":null,"method":"ping"}', { error: { code: -32600 } }],
    ['a fractional id [BASE-015]', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', { error: { code: -32600 } }],
    [
      'params that are no object [BASE-015]',
      '{"jsonrpc":"2.0","id":2,"method":"ping","params":7}',
      { id: 2, error: { code: -32600 } },
    ],
    ['params by position', '{"jsonrpc":"2.0","id":2,"method":"ping","params":[7]}', { id: 2, error: { code: -32602 } }],
    ['an empty array [BASE-015]', '[]', { error: { code: -32600 } }],
    ['a number', '7', { error: { code: -32600 } }],
  ];

  it.each(cases)('%s gets its error, and the next message is served', async (_name, text, expected) => {
    const { send } = await rude(workshop());
    await send(initialize('first', LAST_HANDSHAKE));
    const answers = await send(text);
    expect(answers).toMatchObject([{ jsonrpc: '2.0', ...expected }]);
    if (!('id' in expected)) expect(answers[0]).not.toHaveProperty('id');
    expect(validateMessage(LAST_HANDSHAKE, answers[0])).toEqual([]);
    expect(await send(request(99, 'ping'))).toMatchObject([{ id: 99, result: {} }]);
  });

  it('an error for a message whose id cannot be read has a null id in revisions that demand an id', async () => {
    const { send } = await rude(workshop());
    await send(initialize(1, '2025-03-26'));
    expect(await send('{')).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.any(String) } },
    ]);
  });

  it('notifications and responses nobody waits for are never answered [BASE-010]', async () => {
    const { send, all } = await rude(workshop());
    await send(initialize(1, LAST_HANDSHAKE));
    const before = all.length;
    await send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await send({ jsonrpc: '2.0', method: 'tools/list' });
    await send({ jsonrpc: '2.0', method: 'nobody/knows', params: { a: 1 } });
    await send({ jsonrpc: '2.0', id: 77, result: {} });
    await send({ jsonrpc: '2.0', id: 78, error: { code: 1, message: 'x' } });
    expect(all).toHaveLength(before);
  });

  it('an id in flight cannot be used again, and its first call is not disturbed [BASE-003]', async () => {
    const { send } = await rude(
      workshop({
        interceptors: [
          { intercept: async (_call, next) => (await new Promise((resolve) => setImmediate(resolve)), next()) },
        ],
      }),
    );
    await send(initialize(1, LAST_HANDSHAKE));
    void send(request(2, 'ping'));
    const answers = await send(request(2, 'ping'));
    expect(answers.map(({ error }) => (error as { code?: number } | undefined)?.code)).toEqual([-32600, undefined]);
    expect(await send(request(2, 'ping'))).toMatchObject([{ id: 2, result: {} }]);
  });

  it('ids keep their type [BASE-003]', async () => {
    const { send } = await rude(workshop());
    await send(initialize(1, LAST_HANDSHAKE));
    expect((await send(request('1', 'ping')))[0]?.['id']).toBe('1');
    expect((await send(request(1, 'ping')))[0]?.['id']).toBe(1);
    expect((await send(request('', 'ping')))[0]?.['id']).toBe('');
    expect((await send(request(-5, 'ping')))[0]?.['id']).toBe(-5);
  });

  it('hostile keys in arguments are arguments like any other: refused [TOOL-025]', async () => {
    const { send } = await rude(workshop());
    await send(initialize(1, LAST_HANDSHAKE));
    for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
      const text = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"name":"a","${key}":{"polluted":true}}}}`;
      const [answer] = await send(text);
      expect(answer).toMatchObject({ result: { isError: true } });
      expect(JSON.stringify(answer)).toContain(key);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await send('{"jsonrpc":"2.0","id":3,"method":"__proto__"}')).toMatchObject([{ error: { code: -32601 } }]);
    expect(await send('{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"__proto__"}}')).toMatchObject([
      { error: { code: -32602 } },
    ]);
  });

  it('nesting deeper than the limit is refused under its own id, and never answered where it is no request', async () => {
    const { send } = await rude(workshop());
    await send(initialize(1, LAST_HANDSHAKE));
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const refused = { error: { code: -32600, message: expect.stringContaining('limits.nesting') } };
    expect(await send(`{"jsonrpc":"2.0","id":"a","method":"ping","params":{"x":${deep}}}`)).toMatchObject([
      { id: 'a', ...refused },
    ]);
    expect(await send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"x":${deep}}}`)).toEqual([]);
    expect(await send(`{"jsonrpc":"2.0","id":1,"result":{"x":${deep}}}`)).toEqual([]);
    expect(await send(`{"jsonrpc":"2.0","id":${deep},"method":"ping"}`)).toMatchObject([{ error: { code: -32600 } }]);
    expect(await send(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"x":"${'['.repeat(10_000)}"}}`)).toMatchObject(
      [{ id: 2, result: {} }],
    );
  });

  it('nesting without end is refused or ignored, never fatal, also without a limit', async () => {
    const { send } = await rude(workshop({ limits: { nesting: Infinity } }));
    await send(initialize(1, LAST_HANDSHAKE));
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    const objects = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    for (const value of [deep, objects]) {
      const [answer] = await send(
        `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"name":${value}}}}`,
      );
      expect(answer).toMatchObject({ id: 2, result: { isError: true } });
      expect(await send(`{"jsonrpc":"2.0","id":3,"method":"ping","params":{"_meta":{"x":${value}}}}`)).toMatchObject([
        { id: 3, result: {} },
      ]);
    }
    expect(await send(deep)).toMatchObject([{ error: { code: -32600 } }]);
  });
});

describe('batches', () => {
  const batch = [
    request(1, 'ping'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    request('b', 'nobody/knows'),
    { jsonrpc: '2.0' },
  ];

  it('are answered together where the revision has them [BASE-016]', async () => {
    const { send } = await rude(workshop());
    await send(initialize(0, '2025-03-26'));
    const [answer] = await send(batch);
    expect(answer).toMatchObject([
      { id: 1, result: {} },
      { id: 'b', error: { code: -32601 } },
      { error: { code: -32600 } },
    ]);
    expect(validateMessage('2025-03-26', (answer as unknown as object[]).slice(0, 2))).toEqual([]);
    expect(await send([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).toEqual([]);
  });

  it('must not hold initialize [LIFE-011]', async () => {
    const { send } = await rude(workshop());
    expect(await send([initialize(1, '2025-03-26')])).toMatchObject([{ error: { code: -32600 } }]);
    await send(initialize(2, '2025-03-26'));
    expect(await send([initialize(3, '2025-03-26'), request(4, 'ping')])).toMatchObject([
      [
        { id: 3, error: { code: -32600 } },
        { id: 4, result: {} },
      ],
    ]);
  });

  it.each(['2024-11-05', '2025-06-18', LAST_HANDSHAKE])(
    'are an invalid request on %s, and never sent [BASE-017]',
    async (version) => {
      const { send } = await rude(workshop());
      await send(initialize(0, version));
      const answers = await send(batch);
      expect(answers).toMatchObject([{ error: { code: -32600 } }]);
      expect(await send(request(5, 'ping'))).toMatchObject([{ id: 5, result: {} }]);
    },
  );

  it('of requests that name their revision are an invalid request [BASE-017]', async () => {
    const { send } = await rude(workshop());
    expect(await send([request(1, 'tools/list', { _meta: META })])).toMatchObject([{ error: { code: -32600 } }]);
  });
});

eachRevision(
  'every message is a JSON-RPC 2.0 object with a result or an error, never both [BASE-001, BASE-004, BASE-005, BASE-006, BASE-011, BASE-018]',
  async ({ connect }) => {
    const client = await connect(workshop());
    await client.callTool('show');
    await client.callTool('saw').catch(() => undefined);
    await client.request('nobody/knows').catch(() => undefined);
    for (const { from, text } of client.traffic) {
      if (from === 'client') continue;
      const message = JSON.parse(text) as Message;
      expect(message['jsonrpc']).toBe('2.0');
      if ('method' in message) expect(message).not.toHaveProperty('id');
      else expect('result' in message).not.toBe('error' in message);
      if ('error' in message)
        expect(message['error']).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    }
  },
);

eachRevision('an unknown method is answered with -32601 [BASE-012]', async ({ connect }) => {
  const client = await connect(workshop());
  await expect(client.request('nobody/knows')).rejects.toMatchObject({
    code: -32601,
    message: 'Method not found: nobody/knows',
  });
});
