/** How a client does each operation, with real requests: for the measurement, and for the check of the model. */
import type { Operation } from '../model/costs';
import type { FleetClient, OpenResponse } from './client';

/** Times that something is tried. */
const TRIES = 3;

/** The operations that begin with a request. */
export type Act = Exclude<Operation, 'renew a stream' | 'look at a resource' | 'idle instance, a second'>;

/** A session, and its stream of changes if it has one. */
export interface Held {
  readonly session: string;
  readonly stream?: OpenResponse;
}

/** What an operation has. */
export interface ActInit {
  readonly client: FleetClient;
  /** The instance that serves the request, and another one: it has the stream of the session, and runs its longer calls. */
  readonly server: number;
  readonly other: number;
  readonly held: Held;
  /** Different for each time. */
  readonly index: number;
}

/** What has to be there before. */
export type Needs = 'nothing' | 'a session' | 'a session with a stream';

/** An operation. */
interface Doing {
  readonly needs: Needs;
  /** Done once for each session, before. */
  readonly prepare?: (init: ActInit) => Promise<unknown>;
  /** Returns the session, with what has become of it; undefined where it is of no more use. */
  readonly act: (init: ActInit) => Promise<Held | undefined>;
}

const tool = (name: string, args: object = {}, id: number | string = 1): Record<string, unknown> => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args, _meta: { progressToken: 1 } },
});

/** Subscribes to a resource of its own. */
export async function subscribe({ client, server, held, index }: ActInit): Promise<Held> {
  const params = { uri: `place://${index}` };
  await client.post(server, held.session, { id: 1, method: 'resources/subscribe', params });
  return held;
}

/** Calls a tool that is done at once. */
const call =
  (name: string, argsOf: (index: number) => object = () => ({})) =>
  async ({ client, server, held, index }: ActInit): Promise<Held> => {
    await client.post(server, held.session, tool(name, argsOf(index), index));
    return held;
  };

async function cancel({ client, server, other, held, index }: ActInit): Promise<Held> {
  const id = `waits ${index}`;
  const stream = client.begin(other, held.session, tool('wait', { milliseconds: 10_000 }, id));
  // It runs for long enough for its instance to report it.
  await new Promise((resolve) => setTimeout(resolve, 60));
  await client.post(server, held.session, { method: 'notifications/cancelled', params: { requestId: id } });
  stream.cut();
  return held;
}

async function answer({ client, server, other, held, index }: ActInit): Promise<Held> {
  const stream = client.begin(other, held.session, tool('ask', {}, index));
  const [, id = '""'] = await stream.until(/"id":("[^"]+"|\d+),"method":"elicitation\/create"/);
  const result = { action: 'accept', content: { word: 'yes' } };
  await client.post(server, held.session, { id: JSON.parse(id) as string | number, result });
  await stream.until(/"content":\[/);
  return held;
}

/** The id of the last event of a stream. */
async function resume({ client, server, held: { session, stream } }: ActInit): Promise<Held> {
  const [, id = ''] = (await stream?.until(/id: ?(\S+)/)) ?? [];
  stream?.cut();
  const resumed = client.listen(server, session, id);
  await resumed.until(/\n\n/);
  return { session, stream: resumed };
}

async function listen({ client, server, held: { session } }: ActInit): Promise<Held> {
  const stream = client.listen(server, session);
  await stream.until(/\n\n/);
  return { session, stream };
}

/** Waits until the client has been notified. */
const notified =
  (what: (index: number) => string, act: (init: ActInit) => Promise<Held>) =>
  async (init: ActInit): Promise<Held> => {
    init.held.stream?.skip();
    await act(init);
    await init.held.stream?.until(new RegExp(what(init.index)));
    return init.held;
  };

/** All of them. */
export const ACTS: Readonly<Record<Act, Doing>> = {
  'open a session': {
    needs: 'nothing',
    act: async ({ client, server }) => ({ session: await client.open(server) }),
  },
  'open a stream of changes': { needs: 'a session', act: listen },
  call: { needs: 'a session with a stream', act: call('add', (index) => ({ a: index, b: 2 })) },
  'streamed call': { needs: 'a session with a stream', act: call('steps') },
  'call without a session': {
    needs: 'nothing',
    act: async ({ client, server, index }) => {
      await client.callAlone(server, 'add', { a: index, b: 2 });
      return undefined;
    },
  },
  'cancelled call': { needs: 'a session with a stream', act: cancel },
  'call that asks': { needs: 'a session with a stream', act: answer },
  subscribe: { needs: 'a session with a stream', act: subscribe },
  'change a resource': {
    needs: 'a session with a stream',
    prepare: subscribe,
    act: notified(
      (index) => `place://${index}"`,
      call('touch', (index) => ({ id: index })),
    ),
  },
  'change a list': {
    needs: 'a session with a stream',
    act: notified(() => 'list_changed', call('change')),
  },
  'resume a stream elsewhere': { needs: 'a session with a stream', prepare: subscribe, act: resume },
  'end a session': {
    needs: 'a session with a stream',
    prepare: subscribe,
    act: async ({ client, server, held }) => {
      await client.end(server, held.session);
      return undefined;
    },
  },
};

/** Makes what an operation needs; the stream is at the other instance. */
export async function hold(needs: Needs, init: Omit<ActInit, 'held'>): Promise<Held> {
  const { client, other } = init;
  if (needs === 'nothing') return { session: '' };
  const session = await client.open(other);
  return needs === 'a session' ? { session } : listen({ ...init, server: other, held: { session } });
}

/** @throws what the last try has thrown */
export async function tryAgain<T>(say: (text: string) => void, work: () => Promise<T>, tries = TRIES): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (tries <= 1) throw error;
    say(`again: ${error instanceof Error ? error.message : String(error)}`);
    return tryAgain(say, work, tries - 1);
  }
}
