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
  /** Changes that a client has missed who opens or resumes a stream, as far as they are read: on average. */
  readonly missed: number;
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
  /** Subscriptions of each session, in its life. */
  readonly subscriptions: number;
  /** Changes of resources a second, for each thousand sessions. */
  readonly changes: number;
  /** Sessions that are subscribed to a resource that changes. */
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
  subscriptions: 0.5,
  changes: 1,
  subscribers: 5,
};

/** Entries that the log of changes holds, and entries of it that are read at once: if more were missed, the first ones show it. */
const LOG = 1000;
const PAGE = 251;

/** Changes that are read where a stream is resumed, if so many happen a second, and it is some seconds old. */
export function missedIn(seconds: number, changes: number): number {
  const missed = seconds * changes;
  return missed > LOG ? PAGE : missed;
}

/** Seconds between two renewals of an open stream. */
export const RENEWAL = 20;

/** The rates of so many sessions at so many instances. */
export function ratesOf(sessions: number, instances: number, behaviour: Behaviour): Rates {
  const { lasts, listening, calls, streamed, cancelled, asking, unbroken, subscriptions, changes } = behaviour;
  const opened = sessions / lasts;
  const all = sessions * calls;
  const listeners = sessions * listening;
  return {
    'open a session': opened,
    'end a session': opened,
    'open a stream of changes': opened * listening,
    'renew a stream': listeners / RENEWAL,
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
