/** Whatever a client sends, it gets its error, and the next message is served: on a real process with real pipes. */
import { type Message, type SpawnedServer, Spawner } from '../../support/spawned-server';

const spawner = new Spawner();
const NEWEST = '2026-07-28';
const META = { 'io.modelcontextprotocol/protocolVersion': NEWEST, 'io.modelcontextprotocol/clientCapabilities': {} };
const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const WITHOUT_BATCHES = HANDSHAKES.filter((revision) => revision !== '2025-03-26');

let server: SpawnedServer;
const spawn = (): void => void (server = spawner.spawn(require.resolve('./fixtures/trouble.ts')));

/** A process for each test that follows, or, with a revision, one process whose conversation goes on. */
function spawnForEach(): void {
  beforeEach(spawn);
  afterEach(() => spawner.endAll());
}
function spawnOnce(revision: string): void {
  beforeAll(async () => {
    spawn();
    if (revision !== NEWEST)
      expect(await server.initialize(revision)).toMatchObject({ result: { protocolVersion: revision } });
  });
  afterAll(() => spawner.endAll());
}

const request = (id: unknown, method: string, params?: unknown): Message => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
});
const call = (id: unknown, name: string, args: unknown = {}): Message =>
  request(id, 'tools/call', { name, arguments: args });
const initialize = (id: unknown, protocolVersion: unknown): Message =>
  request(id, 'initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'rude', version: '1' } });
const withId = (id: unknown, code: number): object =>
  expect.objectContaining({ jsonrpc: '2.0', id, error: expect.objectContaining({ code }) as object }) as object;
const withoutId = (code: number): object => ({
  jsonrpc: '2.0',
  error: { code, message: expect.any(String) as string },
});
const textOf = (answer: Message | undefined): unknown =>
  (answer?.['result'] as { content: { text: string }[] } | undefined)?.content[0]?.text;

describe('a line that is no message', () => {
  spawnOnce('2025-11-25');

  it.each([
    ['malformed JSON', '{"jsonrpc":"2.0","id":1,'],
    ['a bare word', 'hello'],
    ['an empty line', ''],
    ['an empty line of Windows', '\r'],
    ['a null byte', '\0'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])],
    ['half a character', Buffer.from([0x22, 0xc3])],
  ])('is answered with -32700 without an id: %s [BASE-007, BASE-014]', async (_what, line) => {
    expect(await server.answersTo(line)).toEqual([withoutId(-32700)]);
  });

  it('does not spoil the lines around it in the same write [BASE-002]', async () => {
    const before = server.messages.length;
    const bytes = Buffer.concat([
      Buffer.from(`${JSON.stringify(call('before', 'echo', { word: 'vör' }))}\n`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from(JSON.stringify(call('after', 'echo', { word: 'nach 😀' }))),
    ]);
    server.process.stdin.write(bytes);
    server.send('');
    expect([textOf(await server.answer('before')), textOf(await server.answer('after'))]).toEqual(['vör', 'nach 😀']);
    expect(server.messages.slice(before).filter((message) => 'error' in message)).toEqual([withoutId(-32700)]);
  });

  it('is refused once when it has 64 MiB, and skipped without being kept', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x');
    for (let count = 0; count < 64; count += 1) server.process.stdin.write(piece);
    const answers = await server.answersTo('"}');
    expect(answers).toEqual([withoutId(-32600)]);
    expect((answers[0]?.['error'] as Error).message).toMatch(/4194304.*maxLineBytes/);
  });
});

describe('JSON that is no request', () => {
  spawnOnce('2025-11-25');

  it.each([
    ['a number', '5', undefined],
    ['null', 'null', undefined],
    ['no jsonrpc', '{"id":"r","method":"ping"}', 'r'],
    ['another jsonrpc', '{"jsonrpc":"1.0","id":"r","method":"ping"}', 'r'],
    ['jsonrpc as a number', '{"jsonrpc":2.0,"id":"r","method":"ping"}', 'r'],
    ['a null id', '{"jsonrpc":"2.0","id":null,"method":"ping"}', undefined],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', undefined],
    ['an object as id', '{"jsonrpc":"2.0","id":{},"method":"ping"}', undefined],
    ['no method', '{"jsonrpc":"2.0","id":"r"}', 'r'],
    ['a number as method', '{"jsonrpc":"2.0","id":"r","method":5}', 'r'],
    ['a text as params', '{"jsonrpc":"2.0","id":"r","method":"ping","params":"x"}', 'r'],
  ])('is answered with -32600: %s [BASE-007, BASE-015]', async (_what, line, id) => {
    expect(await server.answersTo(line)).toEqual([id === undefined ? withoutId(-32600) : withId(id, -32600)]);
  });

  it('with an array as params is answered with -32602', async () => {
    expect(await server.answersTo(request('r', 'ping', [1]))).toEqual([withId('r', -32602)]);
  });

  it('without an id is a notification, and never answered [BASE-010]', async () => {
    const notifications = [
      'notifications/initialized',
      'notifications/cancelled',
      'notifications/unheard',
      'tools/list',
      'initialize',
      'ping',
    ];
    const plain = notifications.map((method) => ({ jsonrpc: '2.0', method }));
    const odd = [{ requestId: {} }, { requestId: 12345 }, 'text', [1], null].map((params) => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params,
    }));
    expect(await server.answersTo(...plain, ...odd)).toEqual([]);
  });

  it('as a response that nobody waits for is not answered', async () => {
    const result = { jsonrpc: '2.0', id: 99, result: {} };
    const error = { jsonrpc: '2.0', id: 'x', error: { code: -32603, message: 'no' } };
    expect(
      await server.answersTo(
        result,
        error,
        { ...result, id: null },
        { ...error, error: 5 },
        { jsonrpc: '2.0', id: 1, result: 5 },
      ),
    ).toEqual([]);
  });
});

describe('requests out of turn', () => {
  spawnForEach();

  it('do not keep lines that are no message from being answered, with the id that the conversation writes [BASE-014]', async () => {
    expect(await server.answersTo('{')).toEqual([withoutId(-32700)]);
    await server.initialize('2025-06-18');
    expect(await server.answersTo('{')).toEqual([withId(null, -32700)]);
  });

  it('before initialize are answered with -32600, ping with a result [LIFE-002, BASE-048]', async () => {
    const early = [request('a', 'tools/list'), call('b', 'echo', { word: 'x' }), request('c', 'no/such/method')];
    expect(await server.answersTo(...early)).toEqual(['a', 'b', 'c'].map((id) => withId(id, -32600)));
    expect(await server.initialize()).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('directly after initialize are served, without waiting for initialized or even the answer', async () => {
    server.send(initialize('i', '2025-06-18'));
    server.send(call('c', 'echo', { word: 'at once' }));
    expect(textOf(await server.answer('c'))).toBe('at once');
  });

  it('to initialize once more are refused with -32600, and the conversation goes on', async () => {
    await server.initialize('2025-06-18');
    expect(await server.answersTo(initialize('again', '2025-11-25'))).toEqual([withId('again', -32600)]);
  });

  it('with an id that is in flight are refused, and the first one is answered', async () => {
    await server.initialize();
    const answers = await server.answersTo(
      call('twin', 'sleep', { milliseconds: 200 }),
      call('twin', 'echo', { word: 'x' }),
    );
    expect(answers).toEqual([withId('twin', -32600)]);
    await server.find(({ id, result }) => id === 'twin' && result !== undefined, 'answer to the first');
  });

  it('name ids that are kept apart by their type [BASE-003]', async () => {
    await server.initialize();
    for (const line of [call(7000, 'echo', { word: 'number' }), call('7000', 'echo', { word: 'string' })])
      server.send(line);
    expect([textOf(await server.answer(7000)), textOf(await server.answer('7000'))]).toEqual(['number', 'string']);
  });

  it('to initialize with params that cannot be read are refused, and a proper one is accepted after', async () => {
    for (const params of [
      undefined,
      {},
      { protocolVersion: 5, capabilities: {} },
      { protocolVersion: '2025-11-25', capabilities: 'all' },
    ]) {
      server.send(request('bad', 'initialize', params));
    }
    expect(await server.answersTo()).toEqual(Array.from({ length: 4 }, () => withId('bad', -32602)));
    expect(await server.initialize()).toHaveProperty('result');
  });
});

describe('batches', () => {
  spawnForEach();

  it('are answered where the revision has them, without notifications and with each error [BASE-016, STDIO-005]', async () => {
    await server.initialize('2025-03-26');
    const batch = [
      request('a', 'ping'),
      { jsonrpc: '2.0', method: 'notifications/unheard' },
      5,
      request('b', 'no/such'),
      call('c', 'echo', { word: 'x' }),
    ];
    const [answer] = await server.answersTo(batch);
    expect(answer).toHaveLength(4);
    expect(answer).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: 'a', result: {} }),
        withId('b', -32601),
        withId(null, -32600),
      ]),
    );
  });

  it('of notifications only are not answered, empty ones are refused', async () => {
    await server.initialize('2025-03-26');
    expect(await server.answersTo([{ jsonrpc: '2.0', method: 'notifications/unheard' }])).toEqual([]);
    expect(await server.answersTo('[]')).toEqual([withId(null, -32600)]);
  });

  it('do not hold an initialize [LIFE-011]', async () => {
    expect(await server.answersTo(JSON.stringify([initialize('i', '2025-03-26')]))).toMatchObject([
      { error: { code: -32600 } },
    ]);
    await server.initialize('2025-03-26');
    expect(await server.answersTo(JSON.stringify([initialize('i', '2025-03-26'), request('p', 'ping')]))).toEqual([
      [withId('i', -32600), expect.objectContaining({ id: 'p', result: {} })],
    ]);
  });

  it.each(WITHOUT_BATCHES)('are one invalid request in %s [BASE-017]', async (revision) => {
    await server.initialize(revision);
    expect(await server.answersTo(JSON.stringify([request('a', 'ping'), request('b', 'ping')]))).toMatchObject([
      { error: { code: -32600 } },
    ]);
  });

  it('of requests that name their revision themselves are one invalid request [BASE-017]', async () => {
    await server.initialize('2025-03-26');
    const members = [request('a', 'tools/list', { _meta: META })];
    expect(await server.answersTo(JSON.stringify(members))).toMatchObject([{ error: { code: -32600 } }]);
  });
});

describe('revisions that do not exist', () => {
  spawnForEach();

  it('are answered with the newest handshake revision [LIFE-005, LIFE-006, LIFE-007]', async () => {
    expect(await server.initialize('1999-01-01')).toMatchObject({ result: { protocolVersion: '2025-11-25' } });
  });

  it('are refused where a request names them, with those that are served [LIFE-014]', async () => {
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2999-01-01' };
    expect(await server.answersTo(request('r', 'tools/list', { _meta: meta }))).toMatchObject([
      { id: 'r', error: { code: -32022, data: { supported: [NEWEST], requested: '2999-01-01' } } },
    ]);
  });

  it('and versions that are no text are refused as invalid params [BASE-025]', async () => {
    const meta = { ...META, 'io.modelcontextprotocol/protocolVersion': 5 };
    expect(await server.answersTo(request('r', 'tools/list', { _meta: meta }))).toEqual([withId('r', -32602)]);
  });
});

describe.each([...HANDSHAKES, NEWEST])('in %s', (revision) => {
  spawnOnce(revision);
  const ask = (method: string, params: object = {}): Promise<Message> =>
    revision === NEWEST ? server.requestAlone(method, params) : server.request(method, params);

  /** The next message is served. */
  afterEach(async () =>
    expect(textOf(await ask('tools/call', { name: 'echo', arguments: { word: 'next' } }))).toBe('next'),
  );

  it('unknown methods are answered with -32601 [BASE-012]', async () => {
    for (const method of ['no/such/method', '__proto__', 'constructor', 'toString']) {
      expect(await ask(method)).toMatchObject({ error: { code: -32601 } });
    }
  });

  it('unknown tools, resources and prompts, and cursors nobody gave, are errors', async () => {
    const params = [
      ['tools/call', { name: 'no such tool' }],
      ['tools/call', { name: '__proto__' }],
      ['tools/call', {}],
      ['prompts/get', { name: 'no such prompt' }],
      ['tools/list', { cursor: 'made up' }],
      ['resources/list', { cursor: 5 }],
      ['prompts/list', { cursor: '' }],
      ['logging/setLevel', { level: 'loud' }],
    ] as const;
    for (const [method, values] of params) {
      const expected = revision === NEWEST && method === 'logging/setLevel' ? -32601 : -32602;
      expect({ method, values, answer: await ask(method, values) }).toMatchObject({
        answer: { error: { code: expected } },
      });
    }
    const missing = revision === NEWEST ? -32602 : -32002;
    expect(await ask('resources/read', { uri: 'trouble://nowhere' })).toMatchObject({ error: { code: missing } });
  });

  it('keys like __proto__ and constructor in arguments are refused as unknown', async () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'other']) {
      const params = JSON.parse(`{"name":"echo","arguments":{"word":"x","${key}":{"polluted":true}}}`) as object;
      expect(JSON.stringify(await ask('tools/call', params))).toContain(key);
    }
  });

  it.each<[number, RegExp, number]>([
    [150, /word/, -32602],
    [10_000, /limits\.nesting/, -32600],
  ])('arguments nested %i deep are refused, not run', async (levels, words, code) => {
    const meta = revision === NEWEST ? `,"_meta":${JSON.stringify(META)}` : '';
    const [deep, list] = [
      `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`,
      `${'['.repeat(levels)}${']'.repeat(levels)}`,
    ];
    for (const [name, value] of [
      ['object', deep],
      ['array', list],
    ]) {
      const id = `${name} ${levels}`;
      server.send(
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"echo","arguments":{"word":${value}}${meta}}}`,
      );
      expect(JSON.stringify(await server.answer(id))).toMatch(words);
      server.send(`{"jsonrpc":"2.0","id":"top ${id}","method":"tools/list","params":{"cursor":${value}${meta}}}`);
      expect(await server.answer(`top ${id}`)).toMatchObject({ error: { code } });
    }
  });

  it('a handler that throws, or rejects with a non-error, is masked, and logged with its cause', async () => {
    for (const name of ['fail', 'rejectOddly']) {
      const { result } = await ask('tools/call', { name });
      expect(result).toMatchObject({ isError: true });
      expect(JSON.stringify(result)).not.toContain('secret');
    }
    await server.hears('the secret reason');
  });

  it('a rejected promise that a handler leaves behind is logged, and not fatal', async () => {
    expect(textOf(await ask('tools/call', { name: 'forget' }))).toBe('returned');
    await server.hears('nobody waits for me');
  });

  it('a handler that never returns keeps nobody waiting', async () => {
    void ask('tools/call', { name: 'hang' }).catch(() => undefined);
    expect(await ask('tools/list')).toHaveProperty('result');
  });

  it('a result that JSON cannot hold is an error of the tool', async () => {
    for (const name of ['cycle', 'big'])
      expect(await ask('tools/call', { name })).toMatchObject({ result: { isError: true } });
  });
});
