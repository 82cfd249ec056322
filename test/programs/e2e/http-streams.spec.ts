/** What goes out on which response, on the wire of the built server. */
import { HttpApp } from './http-app';
import { readEvents } from './read-events';

const handshakes = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
const NEWEST = '2026-07-28';
const MANNERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const VERSIONED = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly progressToken?: string };
}

describe.each([...handshakes, NEWEST])('responses in %s', (revision) => {
  let app: HttpApp;
  let session: Record<string, string> = {};

  beforeAll(async () => {
    app = await HttpApp.start('everything');
    if (revision === NEWEST) return;
    const clientInfo = { name: 'streams', version: '1' };
    const hello = await post(
      { id: 0, method: 'initialize', params: { protocolVersion: revision, capabilities: {}, clientInfo } },
      {},
    );
    session = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' };
  });
  afterAll(() => app.stop());

  const post = (message: object, headers: Record<string, string>, signal?: AbortSignal): Promise<Response> =>
    fetch(app.url, {
      method: 'POST',
      headers: { ...MANNERS, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
      ...(signal && { signal }),
    });

  function call(id: number, name: string, progressToken?: string, signal?: AbortSignal): Promise<Response> {
    const alone = { 'mcp-protocol-version': NEWEST, 'mcp-method': 'tools/call', 'mcp-name': name };
    const meta = { ...(revision === NEWEST && VERSIONED), ...(progressToken !== undefined && { progressToken }) };
    const message = { id, method: 'tools/call', params: { name, arguments: {}, _meta: meta } };
    return post(message, revision === NEWEST ? alone : session, signal);
  }

  async function messagesOf(response: Response): Promise<Message[]> {
    const messages: Message[] = [];
    for await (const { data } of readEvents(response)) if (data !== '') messages.push(JSON.parse(data) as Message);
    return messages;
  }

  it('are one JSON object, or a stream that no proxy buffers and that ends with the answer [HTTP-002, HTTP-009, HTTP-016]', async () => {
    const plain = await call(1, 'test_simple_text');
    expect([plain.status, plain.headers.get('content-type')]).toEqual([
      200,
      expect.stringMatching(/^application\/json(;|$)/),
    ]);
    expect(await plain.json()).toMatchObject({ id: 1 });
    const streamed = await call(2, 'test_tool_with_progress', 'p');
    expect([streamed.status, streamed.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(streamed.headers.get('x-accel-buffering')).toBe('no');
    expect((await messagesOf(streamed)).at(-1)).toMatchObject({ id: 2, result: {} });
  });

  it('carry what belongs to their own request, and never a request [HTTP-012, HTTP-013, HTTP-014]', async () => {
    const ids = [11, 12, 13, 14];
    const streams = await Promise.all(
      ids.map(async (id) => messagesOf(await call(id, 'test_tool_with_progress', `token ${id}`))),
    );
    for (const [index, messages] of streams.entries()) {
      const id = ids[index];
      const told = messages.map((message) => message.params?.progressToken ?? message.id);
      expect(told).toEqual([`token ${id}`, `token ${id}`, `token ${id}`, id]);
      expect(messages.filter((message) => 'id' in message && 'method' in message)).toEqual([]);
    }
  });

  const completions = (): number => app.stderr().split('Tool execution completed').length - 1;

  /** How many handlers came to their end, of one whose client hung up and of one that came after it: the log of the process tells. */
  async function endedAfterHangingUp(): Promise<number> {
    const before = completions();
    const hangingUp = new AbortController();
    const called = call(31, 'test_tool_with_logging', undefined, hangingUp.signal).then(
      (response) => response.text(),
      () => 'hung up',
    );
    await app.hears('Tool execution started');
    hangingUp.abort();
    await called.catch(() => undefined);
    // Another call as long, which begins later and so ends later.
    await (await call(32, 'test_tool_with_logging')).text();
    return completions() - before;
  }

  if (revision === NEWEST) {
    it('whose client hangs up are not worked for any more [CANCEL-004]', async () => {
      expect(await endedAfterHangingUp()).toBe(1);
    });
  } else {
    it('whose client is cut off are worked for to the end [HTTP-015]', async () => {
      expect(await endedAfterHangingUp()).toBe(2);
    });
  }

  if (revision === NEWEST) {
    it('to GET are 405: there is nothing to listen to outside of a request', async () => {
      const got = await fetch(app.url, { headers: { accept: 'text/event-stream', 'mcp-protocol-version': NEWEST } });
      expect([got.status, got.headers.get('allow')]).toEqual([405, 'POST']);
    });
  } else {
    it('to GET, at the same path, say nothing of what POSTs ask [HTTP-001, HTTP-018, HTTP-019, HTTP-020]', async () => {
      const listening = new AbortController();
      const got = await fetch(app.url, {
        headers: { ...session, accept: 'text/event-stream' },
        signal: listening.signal,
      });
      expect([got.status, got.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      const heard: Message[] = [];
      const closed = (async () => {
        for await (const { data } of readEvents(got)) if (data !== '') heard.push(JSON.parse(data) as Message);
      })().catch(() => 'hung up');
      const calls = [21, 22].map(async (id) => messagesOf(await call(id, 'test_tool_with_progress', `${id}`)));
      expect((await Promise.all(calls)).flat()).toHaveLength(8);
      await (await call(23, 'test_simple_text')).text();
      listening.abort();
      expect([await closed, heard]).toEqual(['hung up', []]);
    });
  }
});
