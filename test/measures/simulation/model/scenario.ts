/** What clients do in a simulation, and where. */
import type { Operation } from './costs';

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
