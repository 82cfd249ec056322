/** Asking the client over HTTP: on the stream of its call, answered by another POST, or by the call sent again. */
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { IsString } from 'class-validator';
import { as, believing, request, serve, type HttpAnswer, type Message, type OpenServer } from './http-server';
import { until } from './raw-request';

const NEWEST = '2026-07-28';
const VERSIONS = ['2025-06-18', '2025-11-25'];
const CAPABILITIES = { elicitation: {}, sampling: {}, roots: {} };

class Name {
  @IsString()
  name!: string;
}

@Feature()
class Asking {
  static outcome = '';

  @Tool('Asks for a name')
  async name(context: McpContext): Promise<string> {
    try {
      const answer = await context.elicit(Name, 'Name?', { key: 'name' });
      return (Asking.outcome = answer.action === 'accept' ? answer.content.name : answer.action);
    } catch (error) {
      Asking.outcome = String(error);
      throw error;
    }
  }

  @Tool('Says something before it asks')
  async chatty(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    return this.name(context);
  }
}

const warnings: string[] = [];
const logger = {
  debug: () => undefined,
  info: () => undefined,
  error: () => undefined,
  warn: (_details: object, message: string) => warnings.push(message),
};

let open: OpenServer;
const start = async (options: Parameters<typeof serve>[1] = {}, definition: Parameters<typeof serve>[0] = {}) => {
  warnings.length = 0;
  Asking.outcome = '';
  open = await serve({ features: [Asking], logger, answerTimeout: 2000, ...definition }, options);
};
afterEach(() => open.close());

const initialize = async (version: string, headers: Record<string, string> = {}): Promise<Record<string, string>> => {
  const params = { protocolVersion: version, capabilities: CAPABILITIES, clientInfo: { name: 'test', version: '1' } };
  const answer = await open.post(request(0, 'initialize', params), headers);
  const session = { ...headers, 'mcp-session-id': answer.headers.get('mcp-session-id') ?? '' };
  await open.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session);
  return session;
};
const call = (id: number, headers: Record<string, string>, tool = 'name') =>
  fetch(open.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(request(id, 'tools/call', { name: tool })),
  });
/** Reads a stream up to the first message that fits, and goes on reading to its end when asked. */
const streamOf = (response: Response) => {
  const messages: Message[] = [];
  const done = (async () => {
    let rest = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      rest += Buffer.from(chunk).toString();
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) if (line.startsWith('data: {')) messages.push(JSON.parse(line.slice(6)) as Message);
    }
  })();
  const question = async (): Promise<Message> => {
    await until(() => messages.some(({ id, method }) => id !== undefined && method !== undefined));
    return messages.find(({ id, method }) => id !== undefined && method !== undefined) ?? {};
  };
  return { messages, done, question };
};
const accepted = (id: unknown, name = 'Ada') => ({
  jsonrpc: '2.0',
  id,
  result: { action: 'accept', content: { name } },
});

describe.each(VERSIONS)('a session of %s', (version) => {
  it('is asked on the stream of the call, and answers with a POST of its own', async () => {
    await start();
    const session = await initialize(version);
    const response = await call(1, session);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const stream = streamOf(response);
    const asked = await stream.question();
    expect(asked).toMatchObject({ method: 'elicitation/create', params: { message: 'Name?' } });
    const taken = await open.post(accepted(asked.id), session);
    expect([taken.status, taken.text]).toEqual([202, '']);
    await stream.done;
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'Ada' }] } });
  });

  it('cannot be answered for by another session, by another user, or with an id it never saw', async () => {
    await start({ auth: believing });
    const [ada, bob] = [await initialize(version, as('ada')), await initialize(version, as('bob'))];
    const stream = streamOf(await call(1, ada));
    const asked = await stream.question();
    expect((await open.post(accepted(asked.id, 'Mallory'), bob)).status).toBe(202);
    expect((await open.post(accepted(asked.id, 'Mallory'), { ...ada, ...as('bob') })).status).toBe(404);
    expect((await open.post(accepted(asked.id, 'Mallory'), as('ada'))).status).toBe(400);
    expect((await open.post(accepted('ask-77', 'Mallory'), ada)).status).toBe(202);
    expect(Asking.outcome).toBe('');
    await open.post(accepted(asked.id), ada);
    await stream.done;
    expect(Asking.outcome).toBe('Ada');
  });

  it('loses its question with the session [ELICIT-026]', async () => {
    await start();
    const session = await initialize(version);
    const stream = streamOf(await call(1, session));
    await stream.question();
    await fetch(open.url, { method: 'DELETE', headers: session });
    await stream.done;
    await until(() => Asking.outcome !== '');
    expect(Asking.outcome).toContain('The client ended the session.');
  });

  it('finds the question again after its connection broke', async () => {
    await start();
    const session = await initialize(version);
    const response = await call(1, session);
    let text = '';
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    while (!text.includes('elicitation/create')) text += Buffer.from((await reader.read()).value ?? []).toString();
    await reader.cancel();
    const [, eventId = ''] = /id: (\S+)\ndata: \{.*elicitation\/create/.exec(text) ?? [];
    const asked = JSON.parse(/data: (\{.*elicitation\/create.*)/.exec(text)?.[1] ?? '{}') as Message;
    await open.post(accepted(asked.id), session);
    const resumed = await fetch(open.url, {
      headers: { ...session, accept: 'text/event-stream', 'last-event-id': eventId },
    });
    const stream = streamOf(resumed);
    await until(() => stream.messages.length > 0);
    expect(stream.messages.at(-1)).toMatchObject({ id: 1, result: { content: [{ text: 'Ada' }] } });
    await resumed.body?.cancel().catch(() => undefined);
  });

  it('is given up when the client never answers, and the stream ends', async () => {
    await start({}, { answerTimeout: 50 });
    const stream = streamOf(await call(1, await initialize(version)));
    await stream.done;
    expect(stream.messages.map(({ method }) => method)).toEqual([
      'elicitation/create',
      'notifications/cancelled',
      undefined,
    ]);
    expect(stream.messages.at(-1)).toMatchObject({ result: { isError: true } });
  });
});

describe('a server without sessions', () => {
  it.each(VERSIONS)('says that it cannot ask a client of %s', async (version) => {
    await start({ sessions: false });
    const answer = await open.post(request(1, 'tools/call', { name: 'name' }), { 'mcp-protocol-version': version });
    expect(answer.messages[0]).toMatchObject({ result: { isError: true } });
    expect(answer.text).toContain(
      `This server keeps no sessions, so a client that speaks ${version} cannot be asked anything.`,
    );
  });
});

describe(`a request of ${NEWEST}`, () => {
  const post = (
    extra: object = {},
    headers: Record<string, string> = {},
    capabilities: object = CAPABILITIES,
  ): Promise<HttpAnswer> => {
    const name = 'tool' in extra ? String(extra.tool) : 'name';
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': NEWEST,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
      progressToken: 1,
    };
    return open.post(request(1, 'tools/call', { ...extra, name, arguments: {}, _meta }), {
      'mcp-protocol-version': NEWEST,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...headers,
    });
  };
  const stateOf = ({ messages }: HttpAnswer): string => String(messages.at(-1)?.result?.['requestState']);
  const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };

  it('is answered with the question as JSON, and no session [MRTR-001]', async () => {
    await start();
    const asked = await post();
    expect(asked.status).toBe(200);
    expect(asked.headers.get('content-type')).toContain('application/json');
    expect(asked.headers.has('mcp-session-id')).toBe(false);
    expect(asked.messages).toMatchObject([{ result: { resultType: 'input_required' } }]);
    const done = await post({ inputResponses, requestState: stateOf(asked) });
    expect(done.messages[0]).toMatchObject({ result: { resultType: 'complete', content: [{ text: 'Ada' }] } });
  });

  it('is answered with the question at the end of its stream, if something was said before', async () => {
    await start();
    const { messages } = await post({ tool: 'chatty' });
    expect(messages.map(({ method }) => method)).toEqual(['notifications/progress', undefined]);
    expect(messages[1]).toMatchObject({ result: { resultType: 'input_required' } });
  });

  it('is 400 and -32021 where the client cannot be asked [BASE-028]', async () => {
    await start();
    const { status, messages } = await post({}, {}, {});
    expect(status).toBe(400);
    expect(messages[0]?.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { elicitation: {} } } });
  });

  it('keeps its state to the user it was made for [ELICIT-016] [ELICIT-020] [MRTR-011]', async () => {
    await start({ auth: believing });
    const requestState = stateOf(await post({}, as('ada')));
    const stolen = await post({ inputResponses, requestState }, as('bob'));
    expect(stolen.messages[0]?.error).toMatchObject({ code: -32602 });
    expect(stolen.text).toContain('another caller');
    const own = await post({ inputResponses, requestState }, as('ada'));
    expect(own.messages[0]).toMatchObject({ result: { content: [{ text: 'Ada' }] } });
  });

  it('warns once when its state is sealed with a secret that only this process has', async () => {
    await start();
    await post();
    await post();
    expect(warnings.filter((warning) => warning.includes('SIGIL_SECRETS'))).toHaveLength(1);
  });

  it('does not warn where there is a secret', async () => {
    await start({}, { requestState: { secrets: ['a secret that is long enough for this'] } });
    await post();
    expect(warnings.filter((warning) => warning.includes('SIGIL_SECRETS'))).toEqual([]);
  });
});
