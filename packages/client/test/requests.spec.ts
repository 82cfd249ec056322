/** Requests beyond the methods of the client, and what the client keeps to itself. */
import {
  connect,
  type Client,
  type ClientOptions,
  type OpenPipe,
  type Pipe,
  type PipeUser,
  type Progress,
  QuestionError,
} from '@sigil-mcp/client';
import { objectOf } from '@sigil-mcp/client/internal';
import type { JsonObject, Operation } from '@sigil-mcp/protocol';
import { ManualClock } from '@sigil-mcp/testing';
import { until } from '../../../test/support/until';

const clients: Client[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

interface Received extends JsonObject {
  readonly id?: number;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A client of a server that is a function from a request to its result, over a pipe of the test. */
async function open(
  answer: (message: Received, say: (message: JsonObject) => void) => JsonObject | undefined,
  options: ClientOptions = {},
): Promise<{ client: Client; received: Received[] }> {
  const received: Received[] = [];
  const pipe = (user: PipeUser): Pipe => {
    const say = (message: JsonObject): void => user.receive(JSON.stringify({ jsonrpc: '2.0', ...message }));
    return {
      send(text) {
        const message = JSON.parse(text) as Received;
        received.push(message);
        const result = message.method in OPENINGS ? OPENINGS[message.method] : answer(message, say);
        // Pipes answer later.
        if (result) setImmediate(() => say({ id: message.id, result }));
      },
      close: () => undefined,
    };
  };
  const client = await connect(pipe, options);
  clients.push(client);
  return { client, received };
}

const OPENINGS: Readonly<Record<string, JsonObject>> = {
  'server/discover': { supportedVersions: ['2026-07-28'], capabilities: {}, instructions: 'Be kind.' },
  initialize: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '2' } },
};

/** An operation that no revision has. */
const WEATHER: Operation<'acme/weather', { city: string }, { degrees: number }> = {
  method: 'acme/weather',
  compile: () => ({
    readParams: () => ({ city: '' }),
    writeParams: ({ city }) => ({ city }),
    writeResult: ({ degrees }) => ({ degrees }),
    readResult: ({ degrees }) => ({ degrees: Number(degrees) }),
  }),
};

it.each(['2026-07-28', '2025-11-25'])(
  'an operation from outside is requested like any other (%s)',
  async (revision) => {
    const { client, received } = await open(() => ({ degrees: '21' }), { revision });
    expect(await client.request(WEATHER, { city: 'Oslo' })).toEqual({ degrees: 21 });
    expect(received.at(-1)).toMatchObject({ method: 'acme/weather', params: { city: 'Oslo' } });
  },
);

/** A program that reads its first requests late, and answers them in order; what it does not answer, it ignores. */
function slowProgram(answers: (method: string) => JsonObject | undefined): { methods: string[]; pipe: OpenPipe } {
  const methods: string[] = [];
  const waiting: Received[] = [];
  const pipe = (user: PipeUser): Pipe => ({
    send(text) {
      const message = JSON.parse(text) as Received;
      methods.push(message.method);
      if (message.id !== undefined) waiting.push(message);
      if (!methods.includes('ping')) return;
      for (const { id, method } of waiting.splice(0)) {
        const answer = answers(method);
        if (answer) user.receive(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
      }
    },
    close: () => undefined,
  });
  return { methods, pipe };
}

const UNKNOWN = { error: { code: -32601, message: 'Unknown.' } };
const opening = (method: string): JsonObject | undefined => OPENINGS[method] && { result: OPENINGS[method] };

it.each<[string, (method: string) => JsonObject | undefined, string, string]>([
  ['is not taken for an old one', (method) => opening(method) ?? UNKNOWN, '2026-07-28', 'server/discover ping'],
  [
    'and says that it is old gets a handshake',
    (method) => (method === 'server/discover' ? UNKNOWN : (opening(method) ?? { result: {} })),
    '2025-11-25',
    'server/discover ping initialize',
  ],
  [
    'and ignores what it does not know gets a handshake after it has answered a ping',
    (method) => (method === 'server/discover' ? undefined : (opening(method) ?? { result: {} })),
    '2025-11-25',
    'server/discover ping initialize',
  ],
  [
    'and ignores all before a handshake gets one',
    (method) => (method === 'initialize' ? opening(method) : undefined),
    '2025-11-25',
    'server/discover ping notifications/cancelled initialize',
  ],
])('a program that is slow to start %s', async (_, answers, revision, asked) => {
  const clock = new ManualClock();
  const { methods, pipe } = slowProgram(answers);
  const connecting = connect(pipe, { clock });
  await until(() => clock.pending === 2);
  await clock.advance(5000);
  // The ping, and what it may have overtaken.
  for (const milliseconds of [5000, 250]) await clock.advance(milliseconds);
  const client = await connecting;
  clients.push(client);
  expect([client.revision, clock.pending]).toEqual([revision, 0]);
  expect(methods.slice(0, asked.split(' ').length)).toEqual(asked.split(' '));
});

it.each([0, 4000, 6000, 10_100])('a client that is cancelled says so, after %s ms without an answer', async (after) => {
  const clock = new ManualClock();
  const stop = new AbortController();
  const connecting = connect((): Pipe => ({ send: () => undefined, close: () => undefined }), {
    clock,
    signal: stop.signal,
  });
  const failed = expect(connecting).rejects.toMatchObject({ code: 'SIGIL_CLIENT_CANCELLED', cause: 'enough' });
  await until(() => clock.pending === 2);
  for (let passed = 0; passed < after; passed += 100) await clock.advance(100);
  stop.abort('enough');
  await failed;
  expect(clock.pending).toBe(0);
});

it('a method that the revision does not have is refused before it is sent', async () => {
  const { client, received } = await open(() => undefined);
  await expect(client.request('logging/setLevel', { level: 'info' })).rejects.toMatchObject({
    code: 'SIGIL_CLIENT_OPERATION',
  });
  expect(received).toHaveLength(1);
  expect(client.server).toEqual({
    ...{ info: undefined, capabilities: {}, instructions: 'Be kind.' },
    revisions: ['2026-07-28'],
  });
});

it('the level of logs goes with each request, in a revision that has no request for it', async () => {
  const { client, received } = await open(() => ({ tools: [] }));
  await client.setLevel('error');
  await client.listTools({}, { meta: { mine: 1 } });
  expect(received.at(-1)?.params?.['_meta']).toMatchObject({ 'io.modelcontextprotocol/logLevel': 'error', mine: 1 });
});

it('a malformed notification reaches nobody but onFault, and a listener that throws does not harm the others', async () => {
  const faults: string[] = [];
  const heard: unknown[] = [];
  const { client } = await open(
    (_message, say) => {
      say({ method: 'notifications/message', params: { level: 'loud', data: 1 } });
      say({ method: 'notifications/message', params: { level: 'info', data: 2 } });
      say({ method: 'notifications/acme', params: { any: 3 } });
      return { tools: [] };
    },
    { onFault: ({ message }) => faults.push(message) },
  );
  client.on('notifications/message', () => {
    throw new Error('listener');
  });
  client.on('notifications/message', ({ data }) => heard.push(data));
  const stop = client.on('notifications/acme', ({ any }) => heard.push(any));
  await client.listTools();
  stop();
  await client.listTools();
  expect(heard).toEqual([2, 3, 2]);
  expect(faults.slice(0, 2)).toEqual([expect.stringContaining('notifications/message that does not fit'), 'listener']);
});

it('a handler may fail: the server gets an error without the reason', async () => {
  const faults: string[] = [];
  const { client, received } = await open(
    ({ method }, say) => {
      if (method !== 'tools/list') return undefined;
      for (const id of ['a', 'b'])
        say({ id, method: id === 'a' ? 'roots/list' : 'sampling/createMessage', params: {} });
      return { tools: [] };
    },
    {
      revision: '2025-11-25',
      onRoots: () => {
        throw new Error('secret');
      },
      onFault: ({ message }) => faults.push(message),
    },
  );
  await client.listTools();
  await client.listTools();
  expect(received.filter(({ id }) => typeof id === 'string').slice(0, 2)).toMatchObject([
    { id: 'a', error: { code: -32603, message: 'This client could not answer.' } },
    { id: 'b', error: { code: -32601, message: 'This client has no handler for sampling/createMessage.' } },
  ]);
  expect(faults).toContain('secret');
});

it.each([
  ['dance', {}, 'This client has no handler for dance.'],
  ['elicitation/create', {}, 'params.message must be a string'],
])('a call fails with the question %s %j that it cannot answer', async (method, params, message) => {
  const inputRequests = { a: { method, params } };
  const { client } = await open(
    (sent) => (sent.method === 'tools/call' ? { resultType: 'input_required', inputRequests } : undefined),
    { onElicit: () => ({ action: 'decline' }) },
  );
  const failure = await client.callTool('ask').catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(QuestionError);
  expect(failure).toMatchObject({ name: 'RpcError', method, message });
});

it('a question that the server takes back is not answered, and its handler is notified', async () => {
  let aborted = false;
  const { client, received } = await open(
    ({ method }, say) => {
      if (method !== 'tools/list') return undefined;
      say({ id: 'q', method: 'roots/list' });
      setImmediate(() => say({ method: 'notifications/cancelled', params: { requestId: 'q' } }));
      return { tools: [] };
    },
    {
      revision: '2025-11-25',
      onRoots: ({ signal }) =>
        new Promise((resolve) =>
          signal.addEventListener('abort', () => {
            aborted = true;
            resolve([]);
          }),
        ),
    },
  );
  await client.listTools();
  await client.listTools();
  expect(aborted).toBe(true);
  expect(received.filter((message) => (message.id as unknown) === 'q')).toEqual([]);
});

it('the time of the user is not the time of the server', async () => {
  const clock = new ManualClock();
  const asks = { resultType: 'input_required', inputRequests: { k: { method: 'roots/list' } } };
  const { client } = await open(({ params }) => (params?.['inputResponses'] ? { content: [] } : asks), {
    clock,
    onRoots: async () => {
      await clock.advance(120_000);
      return [];
    },
  });
  expect(await client.callTool('slow', {}, { timeout: 60 })).toMatchObject({ content: [] });
});

it('progress starts the time limit anew, up to the longest time', async () => {
  const clock = new ManualClock();
  let report = (): void => undefined;
  const { client } = await open(
    ({ method, params }, say) => {
      const { progressToken } = objectOf(params?.['_meta']);
      let progress = 0;
      if (method === 'tools/call')
        report = () => say({ method: 'notifications/progress', params: { progressToken, progress: (progress += 1) } });
      return undefined;
    },
    { clock, timeout: 1000, maxTimeout: 200 },
  );
  const steps: number[] = [];
  let failure: unknown;
  const options = { timeout: 100, onProgress: ({ progress }: Progress) => steps.push(progress) };
  const ended = client.callTool('slow', {}, options).catch((error: unknown) => (failure = error));
  for (let passed = 0; passed < 198; passed += 99) {
    await clock.advance(99);
    expect(failure).toBeUndefined();
    report();
  }
  await clock.advance(2);
  expect(await ended).toMatchObject({ code: 'SIGIL_CLIENT_TIMEOUT' });
  expect(steps).toEqual([1, 2]);
});

it('a request waits for the answers of its client, and no longer than any may take', async () => {
  const clock = new ManualClock();
  const { client } = await open(
    ({ method }, say) => {
      if (method === 'tools/list') setImmediate(() => say({ id: 'q', method: 'roots/list' }));
      return undefined;
    },
    { revision: '2025-11-25', clock, timeout: 1000, maxTimeout: 1500, onRoots: () => new Promise(() => undefined) },
  );
  const ended = client.listTools().catch((error: unknown) => error);
  await new Promise(setImmediate);
  await clock.advance(1499);
  await clock.advance(1);
  expect(await ended).toMatchObject({
    code: 'SIGIL_CLIENT_TIMEOUT',
    message: expect.stringContaining('1500 ms') as string,
  });
});

it('a hundred questions are answered at once, and the next one is refused', async () => {
  const { client, received } = await open(
    ({ method }, say) => {
      for (let n = 1; method === 'tools/list' && n <= 101; n += 1) say({ id: n, method: 'roots/list' });
      return undefined;
    },
    { revision: '2025-11-25', onRoots: () => new Promise(() => undefined) },
  );
  client.listTools().catch(() => undefined);
  await new Promise(setImmediate);
  expect(received.filter(({ error }) => error)).toMatchObject([{ id: 101, error: { code: -32603 } }]);
});

it('two subscriptions to a resource are one for the server', async () => {
  const { client, received } = await open(() => ({}), { revision: '2025-11-25' });
  const filter = { resourceSubscriptions: ['a://b'] };
  const [one, two] = [await client.subscribe(filter, () => undefined), await client.subscribe(filter, () => undefined)];
  await one.close();
  await one.close();
  const sent = (): string[] => received.map(({ method }) => method).filter((method) => method.includes('subscribe'));
  expect(sent()).toEqual(['resources/subscribe']);
  await two.close();
  expect(sent()).toEqual(['resources/subscribe', 'resources/unsubscribe']);
});

it('two subscriptions that a server refuses while both are opened are both refused', async () => {
  let refuse: (() => void) | undefined;
  const { client } = await open(
    ({ method, id }, say) => {
      if (method === 'resources/subscribe') refuse = () => say({ id, error: { code: -32002, message: 'No.' } });
      return undefined;
    },
    { revision: '2025-11-25' },
  );
  const subscribe = (): Promise<unknown> => client.subscribe({ resourceSubscriptions: ['a:b'] }, () => undefined);
  const both = [subscribe(), subscribe()].map((one) => one.catch((error: unknown) => error));
  while (!refuse) await new Promise((resolve) => setImmediate(resolve));
  refuse();
  expect(await Promise.all(both)).toMatchObject([{ code: -32002 }, { code: -32002 }]);
});

it('a subscription says why it has ended', async () => {
  const { client } = await open((message, say) => {
    if (message.method !== 'subscriptions/listen') return undefined;
    const _meta = { 'io.modelcontextprotocol/subscriptionId': message.id };
    const notifications = { toolsListChanged: true };
    setImmediate(() => {
      say({ method: 'notifications/subscriptions/acknowledged', params: { _meta, notifications } });
      say({ method: 'notifications/tools/list_changed', params: { _meta } });
      say({ id: message.id, result: { _meta } });
    });
    return undefined;
  });
  const changes: string[] = [];
  const wanted = { toolsListChanged: true, promptsListChanged: true };
  const subscription = await client.subscribe(wanted, ({ method }) => changes.push(method));
  expect(subscription.filter).toEqual({ toolsListChanged: true });
  expect(await subscription.ended).toMatchObject({ code: 'SIGIL_CLIENT_SUBSCRIPTION_ENDED' });
  expect(changes).toEqual(['notifications/tools/list_changed']);
});
