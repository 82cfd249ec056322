/** Stores that do not do what they must, as those of others may: the suite has a sentence that fails for each. */
import { MemoryStores, type Stores, type StreamName } from '@sigil-mcp/core/stores';
import {
  describeInstanceBus,
  describeSessionStore,
  describeStreamStore,
  type OpenStores,
} from '../src/stores/describe-stores';
import { timed } from '../src/stores/suite';

/** What a suite declares. */
type Declare = (open: OpenStores) => void;
type Step = () => Promise<void>;

/** As test runners do: what waits for something that never comes has failed. What stores in memory do needs no waiting. */
async function limited(show: Step): Promise<void> {
  const limit = AbortSignal.timeout(1000);
  await Promise.race([show(), new Promise((_, reject) => limit.addEventListener('abort', reject))]);
}

/** Runs sentences that a suite declares, and gives those that do not hold. */
async function failuresOf(
  declare: Declare,
  stores: Stores,
  only?: { sentence: string; run: (show: Step) => Promise<void> },
): Promise<string[]> {
  const [before, after, sentences]: [Step[], Step[], [string, Step][]] = [[], [], []];
  const { describe, it, beforeAll, afterAll } = globalThis;
  Object.assign(globalThis, {
    describe: (_: string, inner: () => void) => inner(),
    it: (sentence: string, show: Step) => sentence === (only?.sentence ?? sentence) && sentences.push([sentence, show]),
    beforeAll: (step: Step) => before.push(step),
    afterAll: (step: Step) => after.push(step),
  });
  try {
    declare(() => [stores, stores]);
  } finally {
    Object.assign(globalThis, { describe, it, beforeAll, afterAll });
  }
  for (const step of before) await step();
  const shown = await Promise.allSettled(sentences.map(([, show]) => (only ? only.run(show) : show())));
  for (const step of after) await step();
  return sentences.flatMap(([sentence], index) => (shown[index]?.status === 'rejected' ? [sentence] : []));
}

/** Stores in memory, in which some methods do something else. */
function storesWith(change: (stores: MemoryStores) => Partial<Record<'sessions' | 'streams' | 'bus', object>>): Stores {
  const stores = new MemoryStores({ events: 8, keepFor: 1500 });
  const { sessions = {}, streams = {}, bus = {} } = change(stores);
  const [own, over]: [Stores, object[]] = [stores, [sessions, streams, bus]];
  const [changedSessions, changedStreams, changedBus] = [own.sessions, own.streams, own.bus].map((store, index) =>
    Object.assign(bound(store), over[index]),
  );
  return {
    ...own,
    sessions: changedSessions,
    streams: changedStreams,
    bus: changedBus,
    close: () => undefined,
  } as Stores;
}

/** The methods of a store, which know it. */
function bound(store: object): object {
  const prototype = Object.getPrototypeOf(store) as Record<string, unknown>;
  const methods = Object.getOwnPropertyNames(prototype).filter(
    (name) => name !== 'constructor' && typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === 'function',
  );
  return Object.fromEntries(methods.map((name) => [name, (prototype[name] as () => unknown).bind(store)]));
}

/** Streams under other names. */
const renamed =
  (rename: (name: StreamName) => StreamName) =>
  ({ streams }: MemoryStores): { streams: object } => {
    const methods = bound(streams) as Record<string, (name: StreamName, ...rest: unknown[]) => unknown>;
    const calls = Object.entries(methods).map(([key, call]) => [
      key,
      (name: StreamName, ...rest: unknown[]) => call(rename(name), ...rest),
    ]);
    return { streams: Object.fromEntries(calls) as object };
  };

const cut = (text: string): string => text.slice(0, 65_535);

it.each<[string, Declare, string, Stores]>([
  [
    'have one stream of a name in all sessions',
    describeStreamStore,
    'is of its session alone, also where streams of others have the same name',
    storesWith(renamed(({ stream }) => ({ session: 'x', stream }))),
  ],
  [
    'have one stream in each session',
    describeStreamStore,
    'is of its session alone, also where streams of others have the same name',
    storesWith(renamed(({ session }) => ({ session, stream: 'x' }))),
  ],
  [
    'make one text of both names',
    describeStreamStore,
    'is of its session alone, also where streams of others have the same name',
    storesWith(renamed(({ session, stream }) => ({ session: 'x', stream: `${session}-${stream}` }))),
  ],
  [
    'cut long events',
    describeStreamStore,
    'has events as they were said, equal ones, blank ones and long ones, too',
    storesWith(({ streams }) => ({
      streams: {
        append: (name: StreamName, after: number, events: string[], isLast?: boolean) =>
          streams.append(name, after, events.map(cut), isLast),
      },
    })),
  ],
  [
    'do not tell letters from capital letters',
    describeSessionStore,
    'has a session however long its record is, and no other under an id that differs in case alone',
    storesWith(({ sessions }) => ({
      sessions: {
        open: (id: string, record: string, time: number) => sessions.open(id.toLowerCase(), record, time),
        use: (id: string, time: number) => sessions.use(id.toLowerCase(), time),
        end: (id: string) => sessions.end(id.toLowerCase()),
      },
    })),
  ],
  [
    'remember what they have read',
    describeSessionStore,
    'has what any instance has written last, also if another has read it before',
    storesWith(({ sessions }) => {
      const read = new Map<string, string | undefined>();
      const use = (id: string, time: number): string | undefined => {
        if (!read.has(id)) read.set(id, sessions.use(id, time));
        return read.get(id);
      };
      return { sessions: { use } };
    }),
  ],
  [
    'send no long messages',
    describeInstanceBus,
    'brings what is said several times as often, and what is long as a whole',
    storesWith(({ bus }) => ({
      bus: { broadcast: (text: string) => (text.length > 8000 ? undefined : bus.broadcast(text)) },
    })),
  ],
])('stores that %s are seen', async (_, declare, sentence, stores) => {
  expect(await failuresOf(declare, stores, { sentence, run: limited })).toEqual([sentence]);
});

it.each([describeSessionStore, describeStreamStore])(
  'stores that do what they must are seen to do so',
  async (declare) => {
    expect(
      await failuresOf(
        declare,
        storesWith(() => ({})),
      ),
    ).toEqual([]);
  },
);

it('what is over at once however long it had to last is no matter of the machine, and is said', async () => {
  const forgotten = timed(() => Promise.resolve(false));
  await expect(forgotten).rejects.toThrow(/^What had to last for \d+ ms or longer was over before it was needed\.$/);
});
