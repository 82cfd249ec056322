/** The kinds of chaos, by the words that choose them. */
import type { Chaos } from './chaos';
import { cuts } from './cuts';
import { kills } from './kills';
import { redisFaults } from './redis-faults';
import { stops } from './stops';

/** All kinds. */
export const CHAOS = { kills, stops, redis: redisFaults, cuts } satisfies Record<string, Chaos>;

/** The word for one. */
export type ChaosName = keyof typeof CHAOS;
