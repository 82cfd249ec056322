/** Asking a client that is sent requests: ids, time, cancellation, and answers that come late, twice or to nothing. */
import {
  Feature,
  McpContext,
  Tool,
  ToolFailure,
  createServer,
  AskFailure,
  MemoryTransport,
  ProtocolError,
  type ServerOptions,
} from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import { ManualClock, type TestClient } from '@sigil-mcp/testing';
import { IsObject } from 'class-validator';
import { turn } from '../../support/turn';
import { EVERYTHING, Name, answering } from './asking';
import { eachRevision } from './checked';

const HANDSHAKE = { until: '2025-11-25' };
const FORMS = { since: '2025-06-18', until: '2025-11-25' };

/** Something that a test waits for. */
function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => (resolve = settle));
  return { promise, resolve };
}

const outcomes: string[] = [];

class Unfit {
  @IsObject()
  anything!: object;
}

@Feature()
class Patient {
  @Tool('Asks and tells what became of it')
  async sample(context: McpContext): Promise<string> {
    try {
      const { text } = await context.sample('Hello?', { timeout: 40 });
      outcomes.push(text);
      return text;
    } catch (error) {
      outcomes.push(error instanceof AskFailure ? `${error.reason} ${error.code ?? '-'}` : String(error));
      throw error;
    }
  }

  @Tool('Asks with all the time of the server')
  async slowSample(context: McpContext): Promise<string> {
    return (await context.sample('Hello?')).text;
  }

  @Tool('Asks with no time at all')
  async nonsense(context: McpContext): Promise<string> {
    return (await context.sample('Hello?', { timeout: 2 ** 31 })).text;
  }

  @Tool('Works shortly, and waits long', { timeout: 60 })
  async thinks(context: McpContext): Promise<string> {
    const { text } = await context.sample('Take your time');
    return text;
  }

  @Tool('Does not wait for its question')
  unawaited(context: McpContext): string {
    void context.sample('Ignored?');
    return 'done';
  }

  @Tool('Asks twice under one name')
  async named(context: McpContext): Promise<string> {
    const one = await context.sample('Same?', { key: 'same' });
    const two = await context.sample('Same?', { key: 'same' });
    return `${one.text} ${two.text}`;
  }

  @Tool('Asks for roots twice')
  async roots(context: McpContext): Promise<string> {
    const [one, two] = [await context.roots(), await context.roots()];
    return `${one.length} ${two.length}`;
  }

  @Tool('Sends to a page')
  async page(context: McpContext): Promise<string> {
    const urls: unknown[] = ['no url', '/relative', 'javascript:alert(1)', 'https://me:secret@example.com'];
    const refused = await Promise.all(
      urls.map((url) =>
        context.elicitUrl(String(url), 'Go').then(
          () => 'asked',
          (error: unknown) => String(error),
        ),
      ),
    );
    if (refused.some((outcome) => !outcome.startsWith('SigilError'))) throw new ToolFailure(refused.join());
    const one = await context.elicitUrl('https://example.com/pay', 'Pay');
    const two = await context.elicitUrl(new URL('https://example.com/pay'), 'Pay again');
    one.done();
    return `${one.action} ${two.action}`;
  }

  @Tool('Throws the error of another framework')
  demands(): never {
    throw new ProtocolError(-32042, 'Open a page first', { elicitations: [] });
  }

  @Tool('Takes a form as data')
  async data(context: McpContext): Promise<string> {
    const answer = await context.elicit(
      { type: 'object', properties: { city: { type: 'string', enum: ['Oslo', 'Rome'] } }, required: ['city'] },
      'Where?',
    );
    return answer.action === 'accept' ? JSON.stringify(answer.content['city']) : answer.action;
  }

  @Tool('Asks with a class that is no form')
  async nested(context: McpContext): Promise<string> {
    return (await context.elicit(Unfit, 'Nonsense')).action;
  }

  @Tool('Asks for a name')
  async name(context: McpContext): Promise<string> {
    const answer = await context.elicit(Name, 'Name?');
    return answer.action === 'accept' ? answer.content.name : answer.action;
  }
}

const serve = (options: Partial<ServerOptions> = {}) =>
  createServer({ name: 'patient', version: '1.0.0', features: [Patient], logger: false, ...options });
/** A client that answers nothing by itself. */
const silent = { capabilities: EVERYTHING, answers: () => new Promise<JsonObject>(() => undefined) };
const requestsOf = ({ traffic }: TestClient): { id: unknown; method: string; params?: JsonObject }[] =>
  traffic
    .filter(({ from }) => from === 'server')
    .map(({ text }) => JSON.parse(text) as { id?: unknown; method?: string; params?: JsonObject })
    .filter((message): message is { id: unknown; method: string } => 'id' in message && 'method' in message);
const respond = (client: TestClient, id: unknown, text = 'hi'): void =>
  client.send(
    JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { role: 'assistant', content: { type: 'text', text }, model: 'm' },
    }),
  );
const withdrawn = (client: TestClient): unknown[] =>
  client.notifications('notifications/cancelled').map(({ params }) => (params as { requestId: unknown }).requestId);
const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

beforeEach(() => void (outcomes.length = 0));

describe('a request of the server', () => {
  eachRevision(
    'has an id of its own, never used before, and no progress token [BASE-008] [BASE-009] [PROG-005]',
    async ({ connect }) => {
      const client = await connect(serve(), { capabilities: EVERYTHING, answers: answering() });
      for (let call = 0; call < 5; call += 1) await client.callTool('sample');
      await client.callTool('roots');
      const requests = requestsOf(client);
      expect(requests).toHaveLength(7);
      expect(requests.every(({ id }) => typeof id === 'string')).toBe(true);
      expect(new Set(requests.map(({ id }) => id)).size).toBe(7);
      expect(JSON.stringify(requests)).not.toContain('progressToken');
    },
    HANDSHAKE,
  );

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    'waits until the client has said that it is ready (%s) [LIFE-008]',
    async (protocolVersion) => {
      const transport = new MemoryTransport();
      await serve().listen(transport);
      const received: string[] = [];
      const pipe = transport.connect((message) => received.push(message));
      const request = (id: number, method: string, params: JsonObject): void =>
        pipe.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      request(1, 'initialize', {
        protocolVersion,
        capabilities: EVERYTHING,
        clientInfo: { name: 'eager', version: '1' },
      });
      await turn();
      request(2, 'tools/call', { name: 'slowSample' });
      await turn();
      expect(received.join()).not.toContain('sampling/createMessage');
      pipe.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
      await turn();
      expect(received.join()).toContain('sampling/createMessage');
      pipe.close();
    },
  );

  eachRevision(
    'is only made where the client declared that it can be asked [LIFE-010] [SAMP-001] [ROOT-001]',
    async ({ connect }) => {
      const client = await connect(serve(), { capabilities: {}, answers: answering() });
      for (const tool of ['sample', 'roots', 'name'])
        await expect(client.callTool(tool)).rejects.toMatchObject({
          code: -32602,
          data: { requiredCapabilities: expect.any(Object) as object },
        });
      expect(requestsOf(client)).toEqual([]);
    },
    HANDSHAKE,
  );

  eachRevision(
    'that is not answered in time is withdrawn, and an answer that comes later is ignored [LIFE-012] [LIFE-013] [CANCEL-001] [ELICIT-015]',
    async ({ connect }) => {
      const clock = new ManualClock();
      const client = await connect(serve({ clock }), silent);
      const called = client.callTool('sample');
      await clock.advance(39);
      expect(withdrawn(client)).toEqual([]);
      await clock.advance(1);
      expect(await called).toMatchObject({
        isError: true,
        ...text('The client did not answer sampling/createMessage within 40 ms.'),
      });
      const [asked] = requestsOf(client);
      expect(withdrawn(client)).toEqual([asked?.id]);
      respond(client, asked?.id);
      await turn();
      expect(outcomes).toEqual(['timeout -']);
    },
    HANDSHAKE,
  );

  eachRevision(
    'has the time that the server gives, where the question does not say [LIFE-013]',
    async ({ connect }) => {
      const clock = new ManualClock();
      const client = await connect(serve({ answerTimeout: 30, clock }), silent);
      const called = client.callTool('slowSample');
      await clock.advance(30);
      expect(await called).toMatchObject(text('The client did not answer sampling/createMessage within 30 ms.'));
    },
    HANDSHAKE,
  );

  eachRevision(
    'that the client refuses fails in its words',
    async ({ connect }) => {
      const client = await connect(serve(), { capabilities: EVERYTHING });
      expect(await client.callTool('sample')).toMatchObject({
        isError: true,
        ...text('The client refused sampling/createMessage: This client answers no questions.'),
      });
      expect(outcomes).toEqual(['refused -32601']);
      expect(withdrawn(client)).toEqual([]);
    },
    HANDSHAKE,
  );

  eachRevision(
    'is withdrawn when its call is cancelled, and nothing else is sent for it [CANCEL-001]',
    async ({ connect }) => {
      const client = await connect(serve(), silent);
      void client.callTool('slowSample').catch(() => undefined);
      await turn();
      const call = client.traffic
        .map(({ text: sent }) => JSON.parse(sent) as { id?: unknown; method?: string })
        .find(({ method }) => method === 'tools/call');
      client.notify('notifications/cancelled', { requestId: call?.id as number, reason: 'changed my mind' });
      await turn();
      const [asked] = requestsOf(client);
      expect(withdrawn(client)).toEqual([asked?.id]);
      respond(client, asked?.id);
      await turn();
      expect(JSON.parse(client.traffic.filter(({ from }) => from === 'server').at(-1)?.text ?? '')).toMatchObject({
        method: 'notifications/cancelled',
      });
    },
    HANDSHAKE,
  );

  eachRevision(
    'that nobody awaits is withdrawn before the answer of its call',
    async ({ connect }) => {
      const client = await connect(serve(), silent);
      expect(await client.callTool('unawaited')).toMatchObject(text('done'));
      expect(withdrawn(client)).toEqual(requestsOf(client).map(({ id }) => id));
    },
    HANDSHAKE,
  );

  eachRevision(
    'does not count for the time limit of its tool, however long the client thinks',
    async ({ connect }) => {
      const clock = new ManualClock();
      const { promise: thought, resolve: think } = signal();
      const answers = async (): Promise<JsonObject> => {
        await thought;
        return { role: 'assistant', content: { type: 'text', text: 'thought' }, model: 'm' };
      };
      const client = await connect(serve({ clock, answerTimeout: 600_000 }), { capabilities: EVERYTHING, answers });
      const called = client.callTool('thinks');
      await clock.advance(500_000);
      think();
      expect(await called).toMatchObject(text('thought'));
    },
    HANDSHAKE,
  );

  eachRevision(
    'is made once for a key that a handler uses twice',
    async ({ connect }) => {
      const client = await connect(serve(), { capabilities: EVERYTHING, answers: answering() });
      expect(await client.callTool('named')).toMatchObject(text('Paris Paris'));
      expect(client.questions).toHaveLength(1);
    },
    HANDSHAKE,
  );
});

describe('an answer', () => {
  eachRevision(
    'to a question that nobody asked, given twice, or without sense, harms nobody',
    async ({ connect }) => {
      const client = await connect(serve(), silent);
      respond(client, 'ask-1');
      respond(client, 'ask-999');
      respond(client, 7);
      const called = client.callTool('slowSample');
      await turn();
      const [asked] = requestsOf(client);
      client.send(JSON.stringify({ jsonrpc: '2.0', id: asked?.id }));
      client.send(JSON.stringify({ jsonrpc: '2.0', id: asked?.id, result: 'text' }));
      client.send(JSON.stringify({ jsonrpc: '2.0', id: asked?.id, error: 'text' }));
      respond(client, asked?.id, 'first');
      respond(client, asked?.id, 'second');
      expect(await called).toMatchObject(text('first'));
      expect(await client.listTools()).toHaveProperty('tools');
    },
    HANDSHAKE,
  );

  eachRevision(
    'that is malformed is told to the model, with what is wrong with it [SAMP-007]',
    async ({ connect }) => {
      const malformed: JsonObject[] = [
        {},
        { role: 'system', content: { type: 'text', text: '' }, model: 'm' },
        { role: 'assistant', content: { type: 'text' }, model: 'm' },
        { role: 'assistant', content: [{ type: 'video' }], model: 'm' },
        { role: 'assistant', content: { type: 'text', text: '' } },
      ];
      const client = await connect(serve(), {
        capabilities: EVERYTHING,
        answers: () => malformed[client.questions.length - 1] ?? {},
      });
      for (const _answer of malformed)
        expect(await client.callTool('sample')).toMatchObject({
          isError: true,
          ...text(expect.stringMatching(/^The answer to sampling\/createMessage is malformed: result\./) as string),
        });
    },
    HANDSHAKE,
  );

  eachRevision(
    'of a form is read by it, also where the form is data [ELICIT-021]',
    async ({ connect }) => {
      const contents: JsonObject[] = [{ city: 'Oslo' }, { city: 'Paris' }, {}];
      const client = await connect(serve(), {
        capabilities: EVERYTHING,
        answers: () => ({ action: 'accept', content: contents[client.questions.length - 1] ?? {} }),
      });
      expect(await client.callTool('data')).toMatchObject(text('"Oslo"'));
      expect(await client.callTool('data')).toMatchObject({
        isError: true,
        ...text(expect.stringContaining('city') as string),
      });
      expect(await client.callTool('data')).toMatchObject({
        isError: true,
        ...text(expect.stringContaining('city') as string),
      });
      expect(await client.callTool('nested')).toMatchObject({
        isError: true,
        ...text(expect.stringMatching(/internal error/i) as string),
      });
    },
    FORMS,
  );
});

describe('the error that demands a page', () => {
  eachRevision(
    'is never sent: a handler that throws its number has failed inside, and asks with elicitUrl instead [ELICIT-012] [ELICIT-013]',
    async ({ connect }) => {
      const client = await connect(serve(), { capabilities: EVERYTHING });
      await expect(client.callTool('demands')).rejects.toMatchObject({ code: -32603 });
    },
  );
});

describe('roots', () => {
  eachRevision(
    'are asked for once by a client that says when they change, and again when it has [ROOT-003]',
    async ({ connect }) => {
      const client = await connect(serve(), {
        capabilities: { roots: { listChanged: true } },
        answers: () => ({
          roots: Array.from({ length: client.questions.length }, (_, index) => ({ uri: `file:///${index}` })),
        }),
      });
      expect(await client.callTool('roots')).toMatchObject(text('1 1'));
      expect(await client.callTool('roots')).toMatchObject(text('1 1'));
      client.notify('notifications/roots/list_changed');
      expect(await client.callTool('roots')).toMatchObject(text('2 2'));
    },
    HANDSHAKE,
  );
});

describe('what is in the way of a question', () => {
  eachRevision(
    'is not an answer that was malformed: roots are asked for again',
    async ({ connect }) => {
      const client = await connect(serve(), {
        capabilities: { roots: { listChanged: true } },
        answers: () => (client.questions.length === 1 ? { roots: 'everywhere' } : { roots: [] }),
      });
      expect(await client.callTool('roots')).toMatchObject({ isError: true });
      expect(await client.callTool('roots')).toMatchObject(text('0 0'));
    },
    HANDSHAKE,
  );

  eachRevision(
    'is not a time limit that no timer can hold: all the time there is can be given, and nonsense is refused',
    async ({ connect }) => {
      const client = await connect(serve({ answerTimeout: Infinity }), {
        capabilities: EVERYTHING,
        answers: answering(),
      });
      expect(await client.callTool('slowSample')).toMatchObject(text('Paris'));
      expect(await client.callTool('nonsense')).toMatchObject({ isError: true });
      expect(client.questions).toHaveLength(1);
    },
    HANDSHAKE,
  );

  it('is not a handshake that takes its time while the client goes on', async () => {
    const slow = { intercept: (_call: unknown, next: () => Promise<unknown>) => turn().then(next) };
    const transport = new MemoryTransport();
    await serve({ interceptors: [slow] }).listen(transport);
    const { promise: asked, resolve: ask } = signal();
    const pipe = transport.connect((message) => message.includes('sampling/createMessage') && ask());
    const params = { protocolVersion: '2025-11-25', capabilities: EVERYTHING, clientInfo: { name: 'x', version: '1' } };
    pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    pipe.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    pipe.send('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"slowSample"}}');
    await expect(asked).resolves.toBeUndefined();
    pipe.close();
  });
});

describe('a page', () => {
  eachRevision(
    'is asked for with a URL that is fit for it, and an id of its own [ELICIT-009] [ELICIT-010] [ELICIT-011]',
    async ({ connect }) => {
      const client = await connect(serve(), { capabilities: EVERYTHING, answers: answering() });
      expect(await client.callTool('page')).toMatchObject(text('accept accept'));
      const [one, two] = client.questions.map(({ params }) => params);
      expect(one).toMatchObject({ mode: 'url', url: 'https://example.com/pay', message: 'Pay' });
      expect(one?.['elicitationId']).not.toBe(two?.['elicitationId']);
      expect(client.notifications('notifications/elicitation/complete')).toMatchObject([
        { params: { elicitationId: one?.['elicitationId'] } },
      ]);
    },
    { since: '2025-11-25', until: '2025-11-25' },
  );
});
