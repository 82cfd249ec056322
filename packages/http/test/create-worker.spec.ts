/** Which requests of a Worker get a Durable Object, and which it answers itself. */
import { Caller, createServer, Denial, Feature, Tool, type Auth } from '@sigil-mcp/core';
import { createWorker, type ObjectNamespace, type OpenServer, type Worker } from '@sigil-mcp/http/cloudflare';

@Feature()
class Greetings {
  @Tool('Greets') greet(): string {
    return 'Hello';
  }
}

const KNOWN = 'a'.repeat(64);

/** A binding that notes which objects are made and asked. */
class Objects implements ObjectNamespace {
  made = 0;
  readonly asked: string[] = [];

  newUniqueId(): string {
    this.made += 1;
    return KNOWN;
  }

  idFromString(text: string): string {
    if (text !== KNOWN) throw new TypeError('Invalid Durable Object ID');
    return text;
  }

  get(): { fetch(request: Request): Promise<Response> } {
    return {
      fetch: async (request) => {
        this.asked.push(`${request.method} ${request.headers.get('mcp-session-id') ?? 'none'} ${await request.text()}`);
        return new Response('{}', { headers: { 'mcp-session-id': 'own' } });
      },
    };
  }
}

const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } };
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('a Worker', () => {
  let objects: Objects;
  let worker: Worker<Objects>;
  beforeEach(() => {
    objects = new Objects();
    worker = createWorker(
      (options) =>
        createServer({ name: 'greetings', version: '1.0.0', features: [Greetings], logger: false, ...options }),
      { path: '/mcp', objects: (env: Objects) => env },
    );
  });

  const ask = (body: string | ReadableStream | undefined, headers: object = {}, method = 'POST'): Promise<Response> =>
    worker.fetch(
      new Request('http://localhost/mcp', {
        method,
        headers: { ...HEADERS, ...headers },
        ...(body !== undefined && { body, duplex: 'half' }),
      }),
      objects,
    );

  it('gives a client that initializes an object, and its session the name of it', async () => {
    const answer = await ask(JSON.stringify(INITIALIZE));
    expect([answer.status, answer.headers.get('mcp-session-id')]).toEqual([200, `${KNOWN}.own`]);
    expect(objects.asked).toEqual([`POST none ${JSON.stringify(INITIALIZE)}`]);
    await ask('{}', { 'mcp-session-id': `${KNOWN}.own` });
    expect(objects.asked.at(-1)).toBe('POST own {}');
    expect(objects.made).toBe(1);
  });

  const OWN: Readonly<Record<string, Parameters<typeof ask>>> = {
    'a call without a session': [JSON.stringify({ ...INITIALIZE, method: 'tools/list' })],
    'a text that is not JSON': ['{"method":"initialize"'],
    null: ['null'],
    'a batch': [JSON.stringify([INITIALIZE])],
    'a body that is longer than a handshake': [JSON.stringify({ ...INITIALIZE, more: 'x'.repeat(70_000) })],
    'no body': [''],
    'a session that no object has given': ['{}', { 'mcp-session-id': `${'b'.repeat(64)}.own` }],
    'a session without an object': ['{}', { 'mcp-session-id': 'own' }],
    'a request for a stream without a session': [undefined, {}, 'GET'],
    'a preflight': [undefined, { origin: 'https://a.example', 'access-control-request-method': 'POST' }, 'OPTIONS'],
  };

  it.each(Object.keys(OWN))('answers %s itself, without an object', async (name) => {
    const answer = await ask(...OWN[name]!);
    await answer.text();
    expect([objects.made, objects.asked]).toEqual([0, []]);
  });

  describe('makes and wakes no object for a request with', () => {
    const TOKEN = { authorization: 'Bearer good' };
    const ID = { 'mcp-session-id': `${KNOWN}.own` };
    const auth: Auth = {
      resource: 'http://localhost/mcp',
      authorizationServers: ['https://id.example'],
      verify: (token) =>
        token === 'good' ? new Caller({ id: 'ada' }) : Promise.reject(new Denial('No.', { status: 401 })),
    };
    const guarded = (url: string, headers: object, method = 'POST'): Promise<Response> => {
      const open: OpenServer = (options) =>
        createServer({ name: 'g', version: '1', features: [Greetings], logger: false, ...options });
      const own = createWorker(open, { path: '/mcp', auth, objects: (env: Objects) => env });
      const body = JSON.stringify(INITIALIZE);
      return own.fetch(new Request(url, { method, headers: { ...HEADERS, ...headers }, body }), objects);
    };
    const URL_ = 'http://localhost/mcp';
    it.each<[string, number, () => Promise<Response>]>([
      ['another path', 404, () => guarded('http://localhost/other', TOKEN)],
      ['another method', 405, () => guarded(URL_, TOKEN, 'PUT')],
      ['an origin that is not allowed', 403, () => guarded(URL_, { ...TOKEN, origin: 'https://evil.example' })],
      ['another content type', 415, () => guarded(URL_, { ...TOKEN, 'content-type': 'text/plain' })],
      ['no token', 401, () => guarded(URL_, {})],
      ['a wrong token', 401, () => guarded(URL_, { authorization: 'Bearer bad' })],
      ['a session, and no token', 401, () => guarded(URL_, ID)],
    ])('%s', async (_what, status, ask_) => {
      expect([(await ask_()).status, objects.made, objects.asked]).toEqual([status, 0, []]);
    });

    it('nothing wrong: that gets one', async () => {
      await guarded(URL_, TOKEN);
      await guarded(URL_, { ...TOKEN, ...ID });
      expect([objects.made, objects.asked.length]).toEqual([1, 2]);
    });
  });

  it('answers requests of 2026-07-28 itself', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const answer = await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta } }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('greet')]);
    expect(objects.made).toBe(0);
  });

  it('answers when the body of a request breaks off', async () => {
    const broken = new ReadableStream({
      pull: (controller) => controller.error(new Error('the client has gone')),
    });
    const answer = await ask(broken);
    expect([answer.status >= 400, objects.made]).toEqual([true, 0]);
  });

  it('says what is missing without a binding', async () => {
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: HEADERS,
      body: JSON.stringify(INITIALIZE),
    });
    await expect(worker.fetch(request, {} as Objects)).rejects.toMatchObject({ code: 'SIGIL_HTTP_OBJECTS' });
  });
});
