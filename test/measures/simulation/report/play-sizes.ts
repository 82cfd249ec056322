/** The sizes that are played, with the nodes of Redis that they have. */
import type { Costs } from '../model/costs';
import type { TaskCosts } from '../model/tasks';
import { ORDINARY, ratesOf, type Scenario } from '../model/scenario';
import { Simulation, type Outcome } from '../model/simulate';

/** A scenario that was played. */
export interface Played {
  readonly scenario: Scenario;
  readonly outcome: Outcome;
  /** Bytes that one node with slots stores. */
  readonly memory: number;
}

/** Which nodes of Redis a server has: more with more sessions, or always three with slots; and whether resources change often. */
export type Growth = 'more nodes' | 'six nodes' | 'many changes';

/** Instances, from those that were measured to those of ten million sessions. */
export const SIZES = [3, 10, 30, 100, 300, 1000] as const;
/** Sessions of one instance. */
export const SESSIONS = 10_000;
/** Sessions of one node with slots, where nodes grow; there are three at least. */
export const SESSIONS_OF_SHARD = 100_000;
const FEWEST_SHARDS = 3;

/** Times as many changes of resources. */
const MANY = 10;

/** Operations that are played: the time of the model is shorter, the more there are in a second. */
const OPERATIONS = 50_000;
const LONGEST = 10;
/** Seconds for which the stream of a call is stored. */
const STORED = 300;
/** Between an instance and a node, one way: two machines of one data centre. */
const NETWORK = 0.000_25;

/** Costs, and all sizes that were played with them. */
export interface Simulated {
  readonly costs: Costs;
  readonly tasks: TaskCosts;
  readonly played: Readonly<Record<Growth, readonly Played[]>>;
}

/** Plays all sizes, with each way of growth: a few seconds. */
export function simulateAll(costs: Costs, tasks: TaskCosts): Simulated {
  const play = (growth: Growth): readonly Played[] => playSizes(costs, growth);
  return {
    costs,
    tasks,
    played: { 'more nodes': play('more nodes'), 'six nodes': play('six nodes'), 'many changes': play('many changes') },
  };
}

/** Plays all sizes. */
export function playSizes(costs: Costs, growth: Growth): readonly Played[] {
  return SIZES.map((instances) => playSize(costs, growth, instances));
}

/** Plays one size. */
function playSize(costs: Costs, growth: Growth, instances: number): Played {
  const behaviour = growth === 'many changes' ? { ...ORDINARY, changes: MANY * ORDINARY.changes } : ORDINARY;
  const sessions = instances * SESSIONS;
  const shards =
    growth === 'six nodes' ? FEWEST_SHARDS : Math.max(FEWEST_SHARDS, Math.round(sessions / SESSIONS_OF_SHARD));
  const rates = ratesOf(sessions, instances, behaviour);
  const whole = Object.values(rates).reduce((sum, rate) => sum + rate, 0);
  const scenario: Scenario = {
    instances,
    shards,
    sessions,
    listeners: sessions * ORDINARY.listening,
    subscribed: ORDINARY.subscribers,
    rates,
    network: NETWORK,
    seconds: Math.min(LONGEST, OPERATIONS / whole),
    seed: 1,
  };
  const { operations } = costs;
  const session =
    operations['open a session'].memory + ORDINARY.listening * operations['open a stream of changes'].memory;
  const streams = (rates['streamed call'] ?? 0) * STORED * operations['streamed call'].memory;
  const memory = (sessions * session + streams) / shards;
  return { scenario, outcome: new Simulation(costs, scenario).run(), memory };
}
