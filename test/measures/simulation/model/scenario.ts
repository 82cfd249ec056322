/** What clients do in a simulation, and where. */
import { type Operation, OPERATIONS } from './costs';
import { Random } from '../../../support/random';
import { spread, timeUntilNext } from './event-queue';

/** An operation of the plan. */
export interface Planned {
  /** Seconds from the beginning. */
  readonly time: number;
  readonly operation: Operation;
  readonly session: number;
  /** The instance that serves it. */
  readonly server: number;
  /** The instance that has the stream of the session, and runs its longer calls. */
  readonly other: number;
}

/** Operations that are done where the stream is. */
const AT_HOLDER: ReadonlySet<Operation> = new Set(['open a stream of changes', 'renew a stream', 'look at a resource']);

/** A server with its clients. */
export interface Scenario {
  readonly instances: number;
  /** Nodes of Redis that have slots; each has a replica. */
  readonly shards: number;
  readonly sessions: number;
  /** Open streams of changes of all sessions. */
  readonly listeners: number;
  /** Instances that have a session which is subscribed to a resource that changes. */
  readonly subscribed: number;
  /** Operations a second, of all clients together. */
  readonly rates: Rates;
  /** Seconds between an instance and a node, one way. */
  readonly network: number;
  /** Seconds that are played. */
  readonly seconds: number;
  readonly seed: number;
}

/** Operations a second; one that is left out does not happen. */
export type Rates = Readonly<Partial<Record<Operation, number>>>;

/** How clients behave, for each session. */
export interface Behaviour {
  /** Seconds that a session lasts. */
  readonly lasts: number;
  /** Of sessions, how many have an open stream of changes: from 0 to 1. */
  readonly listening: number;
  /** A second and session. */
  readonly calls: number;
  /** Of calls, how many send messages before their results, are cancelled or ask their clients: from 0 to 1. */
  readonly streamed: number;
  readonly cancelled: number;
  readonly asking: number;
  /** Seconds after which a connection with a stream breaks, and its client continues at another instance. */
  readonly unbroken: number;
  /** Resources to which each session is subscribed, from its beginning on. */
  readonly subscriptions: number;
  /** Changes of resources a second, for each thousand sessions. */
  readonly changes: number;
  /** Sessions that are subscribed to the same resource, each at another instance. */
  readonly subscribers: number;
}

/** Half an hour with a call a minute, as people use an assistant; every client listens, as the official ones do. */
export const ORDINARY: Behaviour = {
  lasts: 1800,
  listening: 1,
  calls: 1 / 60,
  streamed: 0.1,
  cancelled: 0.01,
  asking: 0.02,
  unbroken: 600,
  subscriptions: 1,
  changes: 1,
  subscribers: 5,
};

/** Seconds between two renewals of an open stream. */
export const RENEWAL = 20;
/** Seconds after which an instance looks at each resource of its subscribers again: a message about a change may have been lost. */
export const LOOK = 60;

/** The rates of so many sessions at so many instances. */
export function ratesOf(sessions: number, instances: number, behaviour: Behaviour): Rates {
  const { lasts, listening, calls, streamed, cancelled, asking, unbroken, subscriptions, changes, subscribers } =
    behaviour;
  const opened = sessions / lasts;
  const all = sessions * calls;
  const listeners = sessions * listening;
  // Few instances have several of the subscribers of a resource, and look at it once.
  const followed = listeners * subscriptions * Math.min(1, instances / subscribers);
  return {
    'open a session': opened,
    'end a session': opened,
    'open a stream of changes': opened * listening,
    'renew a stream': listeners / RENEWAL,
    'look at a resource': followed / LOOK,
    'resume a stream elsewhere': listeners / unbroken,
    subscribe: opened * subscriptions,
    call: all * (1 - streamed - cancelled - asking),
    'streamed call': all * streamed,
    'cancelled call': all * cancelled,
    'call that asks': all * asking,
    'change a resource': (sessions / 1000) * changes,
    'idle instance, a second': instances,
  };
}

/** Independent operations with the rates of a scenario, in the order of their times. */
export function* planOf({ rates, seconds, instances, sessions, seed }: Scenario): Generator<Planned> {
  const random = new Random(seed);
  const shares = OPERATIONS.map((operation) => [operation, rates[operation] ?? 0] as const);
  const whole = shares.reduce((sum, [, rate]) => sum + rate, 0);
  if (whole <= 0) return;
  for (let time = timeUntilNext(random, whole); time <= seconds; time += timeUntilNext(random, whole)) {
    let left = random.next() * whole;
    const [operation] = shares.find(([, rate]) => (left -= rate) < 0) ?? [OPERATIONS[0]];
    yield { time, operation, ...partsOf(operation, random.between(0, sessions), random, instances) };
  }
}

/** A number of operations at the same distances. */
export function evenly(
  operation: Operation,
  count: number,
  { seconds, instances, sessions, seed }: Scenario,
): Planned[] {
  const random = new Random(seed + OPERATIONS.indexOf(operation) + 1);
  return Array.from({ length: count }, (_, index) => ({
    time: ((index + 0.5) * seconds) / count,
    operation,
    ...partsOf(operation, index % sessions, random, instances),
  }));
}

/** The instance that has the stream of a session. */
export function holderOf(session: number, instances: number): number {
  return spread(session, instances);
}

/** A request goes to any instance but the one with the stream. */
function partsOf(
  operation: Operation,
  session: number,
  random: Random,
  instances: number,
): Omit<Planned, 'time' | 'operation'> {
  const other = holderOf(session, instances);
  if (AT_HOLDER.has(operation) || instances === 1) return { session, server: other, other };
  return { session, server: (other + 1 + random.between(0, instances - 1)) % instances, other };
}
