/** Asking a client that answers with its next request: rounds, keys, and the state that travels along. */
import { Feature, InvalidAnswer, McpContext, Tool, createServer, isSuspension, type Call } from '@sigil-mcp/core';
import type { JsonObject } from '@sigil-mcp/protocol';
import { ManualClock, connect, type TestClient } from '@sigil-mcp/testing';
import { turn } from '../../support/turn';
import { Asking, EVERYTHING, Name, Yes, seen } from './asking';
import { schemaErrors } from './checked';

interface InputRequired extends JsonObject {
  readonly resultType: string;
  readonly inputRequests: Readonly<Record<string, { readonly method: string; readonly params?: JsonObject }>>;
  readonly requestState: string;
}

const lines: { err?: unknown }[] = [];
const notes: string[] = [];
const logger = {
  debug: () => undefined,
  info: (_details: object, message: string) => notes.push(message),
  warn: (details: object, message: string) => lines.push({ ...details, err: message }),
  error: (details: object) => lines.push(details),
};

@Feature()
class Careless {
  @Tool('Swallows what ends the round')
  async swallows(context: McpContext): Promise<string> {
    try {
      await context.elicit(Name, 'Swallowed?');
    } catch {
      return 'a default';
    }
    return 'asked';
  }

  @Tool('Wraps what ends the round')
  async wraps(context: McpContext): Promise<string> {
    try {
      await context.elicit(Name, 'Wrapped?');
    } catch (error) {
      throw new Error('Could not ask', { cause: error });
    }
    return 'asked';
  }

  @Tool('Settles all')
  async settles(context: McpContext): Promise<string> {
    const both = await Promise.allSettled([context.elicit(Name, 'One?'), context.elicit(Name, 'Two?')]);
    return both.map(({ status }) => status).join();
  }

  @Tool('Never awaits')
  forgets(context: McpContext): string {
    void context.elicit(Name, 'Forgotten?');
    return 'done';
  }

  @Tool('Awaits late')
  async late(context: McpContext): Promise<string> {
    const question = context.elicit(Name, 'Late?');
    await turn();
    const answer = await question;
    return answer.action;
  }

  @Tool('Rethrows what it knows')
  async careful(context: McpContext): Promise<string> {
    try {
      const answer = await context.elicit(Name, 'Careful?');
      return answer.action;
    } catch (error) {
      if (isSuspension(error)) throw error;
      return 'caught';
    } finally {
      seen.push('cleaned up');
    }
  }

  @Tool('Fails beside a question')
  async failsBeside(context: McpContext): Promise<string> {
    await Promise.all([context.elicit(Name, 'Beside?'), Promise.reject(new Error('of its own'))]);
    return 'never';
  }

  @Tool('Asks while it is about it, turn after turn of the event loop')
  async staggers(context: McpContext): Promise<string> {
    const names = [0, 0, 1, 2, 3].map(async (turns, index) => {
      for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      const answer = await context.elicit(Name, `Name ${index}?`, { key: `name${index}` });
      return answer.action === 'accept' ? answer.content.name : answer.action;
    });
    return (await Promise.all(names)).join();
  }

  @Tool('Uses one key for two questions')
  async clash(context: McpContext): Promise<string> {
    await context.elicit(Name, 'One?', { key: 'same' });
    await context.elicit(Yes, 'Two?', { key: 'same' });
    return 'never';
  }

  @Tool('Asks in other words each time')
  async moody(context: McpContext): Promise<string> {
    seen.push('mood');
    await context.elicit(Name, `Question ${seen.length}?`, { key: 'mood' });
    return 'never';
  }

  @Tool('Asks in other words in the second round')
  async drifts(context: McpContext): Promise<string> {
    seen.push('drift');
    await context.elicit(Name, `Drift ${seen.length}?`, { key: 'drift' });
    await context.elicit(Yes, 'And then?', { key: 'then' });
    return 'never';
  }

  @Tool('Asks again until the answer fits')
  async insists(context: McpContext): Promise<string> {
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      try {
        const answer = await context.elicit(Name, 'A proper name?');
        return answer.action === 'accept' ? `${answer.content.name} after ${attempt}` : answer.action;
      } catch (error) {
        if (!(error instanceof InvalidAnswer)) throw error;
      }
    }
    return 'gave up';
  }

  @Tool('Keeps too much')
  async hoards(context: McpContext): Promise<string> {
    await context.once('hoard', () => 'x'.repeat(300_000));
    await context.elicit(Name, 'Too much?');
    return 'never';
  }

  @Tool('Acts once')
  async acts(context: McpContext): Promise<string> {
    const id = context.onceId('payment');
    seen.push(id);
    const nothing = await context.once('nothing', () => undefined);
    await context.elicit(Name, 'Pay?');
    return `${id} ${String(nothing)} ${context.onceId('other') === id}`;
  }
}

const server = createServer({ name: 'rounds', version: '1.0.0', features: [Asking, Careless], logger });
const NAMED: JsonObject = { action: 'accept', content: { name: 'Ada' } };

let client: TestClient;

beforeEach(async () => {
  lines.length = notes.length = seen.length = 0;
  client = await connect(server, { capabilities: EVERYTHING });
});

afterEach(async () => {
  expect(schemaErrors(client)).toEqual([]);
  await client.close();
});

const call = (name: string, extra: JsonObject = {}): Promise<JsonObject> =>
  client.request('tools/call', { name, arguments: {}, ...extra });
const ask = async (name: string, extra?: JsonObject): Promise<InputRequired> => {
  const result = (await call(name, extra)) as InputRequired;
  expect(result.resultType).toBe('input_required');
  return result;
};
const keysOf = ({ inputRequests }: InputRequired): string[] => Object.keys(inputRequests);
/** All questions answered with the same. */
const answered = (asked: InputRequired, answer: JsonObject = NAMED): JsonObject => ({
  inputResponses: Object.fromEntries(keysOf(asked).map((key) => [key, answer])),
  requestState: asked.requestState,
});
const textOf = (result: JsonObject): string => (result as { content: [{ text: string }] }).content[0].text;

describe('a round', () => {
  it('asks under the keys that the handler gave, as method and params alone [MRTR-001] [MRTR-003] [MRTR-004] [MRTR-005] [MRTR-006]', async () => {
    const asked = await ask('atOnce');
    expect(keysOf(asked)).toEqual(['user_name', 'greeting', 'client_roots']);
    expect(asked.inputRequests).toMatchObject({
      user_name: { method: 'elicitation/create', params: { mode: 'form', message: 'Your name?' } },
      greeting: { method: 'sampling/createMessage', params: { maxTokens: 50 } },
      client_roots: { method: 'roots/list' },
    });
    expect(JSON.stringify(asked.inputRequests)).not.toMatch(/jsonrpc|"id"/);
    expect(asked.requestState).toMatch(/^[\w-]+$/);
  });

  it('derives keys that stay the same from round to round', async () => {
    const [one, other] = [await ask('order'), await ask('order')];
    expect(keysOf(one)).toEqual(keysOf(other));
    expect(keysOf(one)[0]).toMatch(/^elicitation-[\w-]{10}$/);
  });

  it('says nothing about caching, and neither does what was made of the answers [CACHE-004] [CACHE-007]', async () => {
    const asked = (await client.readResource('asking://secret')) as InputRequired;
    expect(asked).not.toHaveProperty('ttlMs');
    expect(asked).not.toHaveProperty('cacheScope');
    const told = await client.request('resources/read', {
      uri: 'asking://secret',
      ...answered(asked, { action: 'accept', content: { ok: true } }),
    });
    expect(told).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
  });

  it('is open as long as each turn of the event loop brings another question', async () => {
    const asked = await ask('staggers');
    expect(keysOf(asked)).toEqual(['name0', 'name1', 'name2', 'name3', 'name4']);
    expect(textOf(await call('staggers', answered(asked)))).toBe('Ada,Ada,Ada,Ada,Ada');
  });

  it('is only there for tools, prompts and resources [MRTR-002]', async () => {
    const extra = { inputResponses: {}, requestState: 'not for this method' };
    expect(await client.listTools(extra)).toMatchObject({ resultType: 'complete' });
    expect(await client.getPrompt('greet')).toMatchObject({
      resultType: 'input_required',
      inputRequests: { user_context: {} },
    });
  });

  it('runs the handler again with the answers of all rounds, and once() once', async () => {
    const first = await ask('twice');
    expect(keysOf(first)).toEqual(['first']);
    const second = await ask('twice', answered(first));
    expect(second.requestState).not.toBe(first.requestState);
    const done = await call('twice', answered(second, { action: 'accept', content: { name: 'Lovelace' } }));
    expect(textOf(done)).toBe('Ada Lovelace number');
    expect(seen).toEqual(['start', 'start', 'once', 'start']);
  });

  it('is numbered for guards and interceptors', async () => {
    const rounds: number[] = [];
    const counting = createServer({
      name: 'counting',
      version: '1.0.0',
      features: [Asking],
      logger: false,
      guards: [{ allows: () => true, allowsCall: ({ round }: Call) => rounds.push(round) > 0 }],
      interceptors: [
        {
          intercept: ({ round, method }: Call, next: () => Promise<unknown>) => {
            if (method === 'tools/call') rounds.push(round * 10);
            return next();
          },
        },
      ],
    });
    await client.close();
    client = await connect(counting, { capabilities: EVERYTHING });
    const first = await ask('twice');
    await ask('twice', answered(first));
    expect(rounds).toEqual([10, 1, 20, 2]);
  });

  it('accepts the answers of a single round without the state', async () => {
    const result = await call('atOnce', {
      inputResponses: {
        user_name: NAMED,
        greeting: { role: 'assistant', content: { type: 'text', text: 'hi' }, model: 'm' },
        client_roots: { roots: [] },
      },
    });
    expect(textOf(result)).toBe('Ada|hi|m|');
  });

  it('asks again for what is missing, and ignores what nobody asked [MRTR-016] [MRTR-017] [MRTR-013]', async () => {
    const first = await ask('atOnce');
    const again = await ask('atOnce', {
      inputResponses: { user_name: NAMED, stranger: { action: 'accept' } },
      requestState: first.requestState,
    });
    expect(keysOf(again)).toEqual(['greeting', 'client_roots']);
    expect(keysOf(await ask('atOnce', { requestState: first.requestState }))).toHaveLength(3);
    expect(keysOf(await ask('atOnce', { inputResponses: { stranger: {} } }))).toHaveLength(3);
  });

  it('needs nothing but the retry: another connection, another server with the same secret [MRTR-014] [MRTR-012]', async () => {
    const secrets = ['a secret that is long enough for this'];
    const instance = () =>
      createServer({
        name: 'rounds',
        version: '1.0.0',
        features: [Asking],
        logger: false,
        requestState: { secrets },
      });
    const [here, there] = [
      await connect(instance(), { capabilities: EVERYTHING }),
      await connect(instance(), { capabilities: EVERYTHING }),
    ];
    const params = { name: 'twice', arguments: {} };
    const first = (await here.request('tools/call', params)) as InputRequired;
    const second = await there.request('tools/call', { ...params, ...answered(first) });
    expect(second).toMatchObject({ resultType: 'input_required' });
    await Promise.all([here.close(), there.close()]);
  });

  it('gives an action the same id however often it is begun, and each call another [MRTR-012]', async () => {
    const first = await ask('acts');
    const [done, repeated] = [await call('acts', answered(first)), await call('acts', answered(first))];
    const [id] = seen;
    expect(textOf(done)).toBe(`${id ?? ''} undefined false`);
    expect(textOf(repeated)).toBe(textOf(done));
    await ask('acts');
    expect(new Set(seen).size).toBe(2);
  });
});

describe('inputResponses', () => {
  it.each([
    ['null', null],
    ['a list', []],
    ['a text', 'text'],
    ['an answer that is a number', { user_name: 12345 }],
    ['an answer that is null', { user_name: null }],
  ])('that are %s are refused [MRTR-015]', async (_title, inputResponses) => {
    await expect(call('atOnce', { inputResponses })).rejects.toMatchObject({ code: -32602 });
  });

  it.each([
    ['no action', {}],
    ['another action', { action: 'maybe' }],
    ['no content', { action: 'accept' }],
    ['content that does not fit', { action: 'accept', content: { name: 1 } }],
  ])('with %s are refused [MRTR-015] [ELICIT-021]', async (_title, answer) => {
    const first = await ask('twice');
    await expect(call('twice', answered(first, answer))).rejects.toMatchObject({ code: -32602 });
    expect(textOf(await call('twice', answered(first, { action: 'decline' })))).toBe('no first: decline');
  });

  it('with content nobody asked for are taken without it', async () => {
    const first = await ask('twice');
    const second = await ask('twice', answered(first, { action: 'accept', content: { name: 'Ada', age: 3 } }));
    expect(second).toMatchObject({ resultType: 'input_required' });
  });

  it('that do not fit are told to a handler that wants to know, and it asks again', async () => {
    const wrong = { action: 'accept', content: {} };
    const first = await ask('insists');
    const second = await ask('insists', answered(first, wrong));
    expect(keysOf(second)).not.toEqual(keysOf(first));
    expect(textOf(await call('insists', answered(second)))).toBe('Ada after 2');
  });

  it('with a cancelled form are an answer too [ELICIT-015]', async () => {
    expect(textOf(await call('twice', answered(await ask('twice'), { action: 'cancel' })))).toBe('no first: cancel');
  });
});

describe('requestState', () => {
  const refused = { code: -32602, message: expect.stringContaining('requestState') as string };

  it.each([
    ['with something at its end', (state: string) => `${state}-TAMPERED`],
    [
      'with a character changed',
      (state: string) => `${state.slice(0, 40)}${state[40] === 'A' ? 'B' : 'A'}${state.slice(41)}`,
    ],
    ['cut short', (state: string) => state.slice(0, -4)],
    ['with characters that a decoder would skip', (state: string) => `${state}!!`],
    ['made up', () => 'c3RhdGU'],
    ['empty', () => ''],
    ['of another kind', () => 7],
    ['too long', (state: string) => state.repeat(3000)],
  ])('%s is refused, not asked again [MRTR-008] [MRTR-009] [MRTR-010]', async (_title, tamper) => {
    const asked = await ask('twice');
    const requestState = tamper(asked.requestState);
    await expect(call('twice', { ...answered(asked), requestState })).rejects.toMatchObject(refused);
  });

  it('of another tool, prompt, resource or of other arguments is refused [MRTR-011]', async () => {
    const { requestState } = await ask('twice');
    await expect(call('order', { requestState })).rejects.toMatchObject(refused);
    await expect(call('twice', { requestState, arguments: { other: 1 } })).rejects.toMatchObject(refused);
    await expect(client.request('prompts/get', { name: 'twice', requestState })).rejects.toMatchObject(refused);
    await expect(client.request('resources/read', { uri: 'asking://secret', requestState })).rejects.toMatchObject(
      refused,
    );
  });

  it('of another server is refused, also where both have the same secret', async () => {
    const requestState = { secrets: ['a secret that is long enough for this'] };
    const open = (name: string) =>
      connect(createServer({ name, version: '1.0.0', features: [Asking], logger: false, requestState }), {
        capabilities: EVERYTHING,
      });
    const [one, other] = [await open('one'), await open('other')];
    const asked = (await one.callTool('twice')) as unknown as InputRequired;
    const again = { name: 'twice', arguments: {}, ...answered(asked) };
    await expect(other.request('tools/call', again)).rejects.toMatchObject(refused);
    expect(await one.request('tools/call', again)).toMatchObject({ resultType: 'input_required' });
    await Promise.all([one.close(), other.close()]);
  });

  it('does not grow by answers that nobody asked for', async () => {
    const plain = await ask('twice');
    const padded = await ask('twice', { inputResponses: { stranger: { action: 'x'.repeat(10_000) } } });
    expect(padded.requestState.length).toBeLessThan(plain.requestState.length + 100);
  });

  it('of a server with another secret is refused', async () => {
    const other = await connect(createServer({ name: 'other', version: '1.0.0', features: [Asking], logger: false }), {
      capabilities: EVERYTHING,
    });
    const asked = (await other.callTool('twice')) as InputRequired;
    await expect(call('twice', answered(asked))).rejects.toMatchObject(refused);
    await other.close();
  });

  it('that has expired is refused, and says so [MRTR-011]', async () => {
    const clock = new ManualClock();
    const hasty = createServer({
      name: 'hasty',
      version: '1.0.0',
      features: [Asking],
      logger: false,
      requestState: { lifetime: 1000 },
      clock,
    });
    await client.close();
    client = await connect(hasty, { capabilities: EVERYTHING });
    const asked = await ask('twice');
    await clock.advance(1001);
    await expect(call('twice', answered(asked))).rejects.toMatchObject({
      code: -32602,
      message: 'requestState has expired. Send the request again without it.',
    });
  });

  it('that would become too long is an error that names the limit, for the log alone', async () => {
    await expect(call('hoards')).rejects.toMatchObject({ code: -32603 });
    expect(String(lines[0]?.err)).toContain('262144');
  });

  it('reveals nothing of the answers it holds [SAMP-009] [ELICIT-025]', async () => {
    const { requestState } = await ask('twice', answered(await ask('twice')));
    expect(Buffer.from(requestState, 'base64url').toString('latin1')).not.toContain('Ada');
  });
});

describe('a handler', () => {
  it.each([
    ['that swallows the suspension', 'swallows', 'Swallowed?'],
    ['that throws something else in its place', 'wraps', 'Wrapped?'],
    ['that settles all its questions', 'settles', 'One?'],
    ['that does not await its question', 'forgets', 'Forgotten?'],
  ])('%s is told where, and the client nothing of it', async (_title, tool, question) => {
    const failure = await call(tool).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: -32603, message: expect.stringMatching(/internal error/i) as string });
    const [line] = lines;
    expect(line?.err).toMatchObject({ name: 'SwallowedSuspension' });
    expect(String(line?.err)).toContain(question);
    expect((line?.err as Error).stack).toContain('asking-rounds.spec.ts');
  });

  it('may await its question late, and clean up', async () => {
    expect(textOf(await call('late', answered(await ask('late'))))).toBe('accept');
    const asked = await ask('careful');
    expect(seen).toEqual(['cleaned up']);
    expect(textOf(await call('careful', answered(asked)))).toBe('accept');
  });

  it('that fails beside its question has failed', async () => {
    expect(await call('failsBeside')).toMatchObject({ isError: true });
    expect(String(lines[0]?.err)).toContain('of its own');
  });

  it('that uses a key for two questions, or changes its words, is told both', async () => {
    const asked = await ask('clash');
    expect(await call('clash', answered(asked))).toMatchObject({ isError: true });
    expect(String(lines[0]?.err)).toMatch(/"same".*One\?.*Two\?/);
    expect(await call('moody', answered(await ask('moody')))).toMatchObject({ isError: true });
    expect(String(lines[1]?.err)).toMatch(/"mood".*Question 1\?.*Question 2\?/);
  });
});

describe('what a client cannot be asked', () => {
  it.each([
    ['a form', 'twice', {}, { elicitation: {} }],
    ['a form, with pages only', 'twice', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['a page', 'page', { elicitation: {} }, { elicitation: { url: {} } }],
    ['a sample', 'sample', { elicitation: {} }, { sampling: {} }],
    ['roots', 'roots', {}, { roots: {} }],
    ['one of three', 'atOnce', { elicitation: {}, roots: {} }, { sampling: {} }],
  ])(
    '%s is an error that names the capability [BASE-027] [BASE-028] [MRTR-007] [ROOT-001] [ELICIT-004]',
    async (_title, tool, capabilities, requiredCapabilities) => {
      await client.close();
      client = await connect(server, { capabilities });
      await expect(call(tool)).rejects.toMatchObject({ code: -32021, data: { requiredCapabilities } });
    },
  );

  it('is logged with a way out for the author', async () => {
    await client.close();
    client = await connect(server, {});
    await expect(call('twice')).rejects.toMatchObject({ code: -32021 });
    expect(notes).toEqual([
      'elicitation/create was not sent, because the client did not declare {"elicitation":{}}. ' +
        'To answer such clients differently, check context.client.capabilities before the question.',
    ]);
  });
});
