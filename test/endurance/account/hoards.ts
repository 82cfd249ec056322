/** Everything that a client can make a server keep: how valid requests fill it, and how much one client tries. */
import type { Visitor } from './visitor';

/** How much is sent in one request: all of it follows from this number of characters. */
export interface Portion {
  /** Characters of a text, at most half of a message. */
  readonly size: number;
}

/** One kind of thing. */
export interface Hoard {
  readonly what: string;
  /** The kind under which the account has it. */
  readonly kind: string;
  /** Whether the server refuses what is too much; else it drops the oldest. */
  readonly isRefused: boolean;
  /** How often one client tries at most. */
  readonly most: number;
  /** Adds one. Resolves when the server has it, or has refused it. */
  add(visitor: Visitor, portion: Portion, number: number): Promise<unknown>;
}

const idOf = (text: string): string => /"taskId":"([^"]+)"/.exec(text)?.[1] ?? '';

/** Milliseconds until a client sends more, while several of its requests wait: it fills memory, and does not keep the processor busy. */
const PAUSE = 400;

/** Resolves soon after a request that is not answered as long as it is held. */
async function held(visitor: Visitor, request: Promise<unknown>, pause = PAUSE): Promise<void> {
  const soon = new Promise<void>((resolve) => setTimeout(resolve, pause));
  await Promise.race([request, visitor.open > 4 ? soon : new Promise<void>((resolve) => setImmediate(resolve))]);
}

/** A session of each client, for what is kept by session. */
const sessions = new WeakMap<Visitor, Promise<string>>();
function sessionOf(visitor: Visitor): Promise<string> {
  const known = sessions.get(visitor);
  if (known) return known;
  const made = visitor.meet().then(({ session }) => session ?? '');
  sessions.set(visitor, made);
  return made;
}

/** All of them. */
export const HOARDS: readonly Hoard[] = [
  {
    what: 'calls that wait, with arguments of many small values',
    kind: 'calls',
    isRefused: true,
    most: 2000,
    // Eleven bytes of memory for each character.
    add: (visitor, { size }) => {
      const bag = Array.from({ length: size / 6 }, () => ({}));
      return held(
        visitor,
        visitor.ask('tools/call', { name: 'wait', arguments: {}, _meta: { 'com.example/bag': bag } }),
      );
    },
  },
  {
    what: 'bodies that do not end',
    kind: 'bodies',
    isRefused: true,
    most: 400,
    add: (visitor, { size }) => held(visitor, visitor.begin(size)),
  },
  {
    what: 'sessions of a client that says much of itself',
    kind: 'sessions',
    isRefused: false,
    most: 1500,
    add: (visitor) =>
      visitor.meet({ experimental: Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`x${at}`, {}])) }),
  },
  {
    what: 'subscriptions to long URIs',
    kind: 'subscriptions',
    isRefused: true,
    most: 2100,
    add: async (visitor, _portion, number) =>
      visitor.within(await sessionOf(visitor), 'resources/subscribe', { uri: `jar://${number}-${'u'.repeat(1900)}` }),
  },
  {
    what: 'event streams',
    kind: 'streams',
    isRefused: true,
    most: 1100,
    add: async (visitor) => {
      const { session } = await visitor.meet();
      return session === undefined ? undefined : visitor.listen(session);
    },
  },
  {
    what: 'events for a client that may come back',
    kind: 'events',
    isRefused: false,
    most: 300,
    add: async (visitor, { size }) => {
      const params = { name: 'write', arguments: { size }, _meta: { progressToken: 'p' } };
      return visitor.within(await sessionOf(visitor), 'tools/call', params);
    },
  },
  {
    what: 'answers that are not read',
    kind: 'unread',
    isRefused: true,
    most: 60,
    // More than the buffers of the system take.
    add: async (visitor, { size }) =>
      visitor.within(
        await sessionOf(visitor),
        'tools/call',
        { name: 'write', arguments: { size: 8 * Math.max(size, 1_000_000) } },
        false,
      ),
  },
  {
    what: 'tasks that wait, with long arguments',
    kind: 'tasks',
    isRefused: true,
    most: 1000,
    add: (visitor, { size }) => visitor.call('cook', { size: 1, padding: 'a'.repeat(size) }),
  },
  {
    what: 'results of tasks',
    kind: 'tasks',
    isRefused: false,
    most: 200,
    add: (visitor, { size }) => visitor.call('bake', { size }),
  },
  {
    what: 'answers to questions of tasks',
    kind: 'tasks',
    isRefused: true,
    most: 200,
    add: async (visitor, { size }) => {
      const taskId = idOf((await visitor.call('ask')).text);
      for (let state = 'working'; state === 'working';)
        state = /"status":"(\w+)"/.exec((await visitor.ask('tasks/get', { taskId })).text)?.[1] ?? 'gone';
      const answer = { action: 'accept', content: { text: 'a'.repeat(size) } };
      return visitor.ask('tasks/update', { taskId, inputResponses: { what: answer } });
    },
  },
  {
    what: 'values of `context.once`',
    kind: 'answers',
    isRefused: true,
    most: 400,
    add: (visitor, { size }) => held(visitor, visitor.call('keep', { size })),
  },
  {
    what: 'rests of results',
    kind: 'rests',
    isRefused: false,
    most: 200,
    add: (visitor, { size }) => visitor.call('pour', { size }),
  },
  {
    what: 'scripts, of which most wait for their turn',
    kind: 'scripts',
    isRefused: true,
    most: 1500,
    add: (visitor) => {
      const code = `await tools.wait({}); // ${'s'.repeat(40_000)}`;
      return held(visitor, visitor.call('run_code', { code }), PAUSE / 10);
    },
  },
  {
    what: 'audit records that their sink does not take',
    kind: 'audit',
    isRefused: false,
    most: 3000,
    add: (visitor) => visitor.call('echo', { word: 'w' }),
  },
];
