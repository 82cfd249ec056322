/** What a server needs most of, compared with what there is. */
import { FULL, MEMORY, NETWORK } from '../model/capacity';
import type { Played } from './play-sizes';

/** Something that may run out first. */
export interface Limit {
  readonly what: string;
  /** What to do about it. */
  readonly instead: string;
  /** 1 at the limit. */
  readonly shareOf: (played: Played) => number;
}

/** All limits that are looked at. */
export const LIMITS: readonly Limit[] = [
  {
    what: 'the core of a node of Redis',
    instead: 'use more nodes, so that each has fewer sessions',
    shareOf: (played) => othersOf(played) / 1e6 / FULL,
  },
  {
    what: 'the core of the one node that has the log of list changes, which each stream reads when it is opened or resumed',
    instead:
      'let connections last longer than ten minutes, or divide the clients among servers with namespaces of their own: more nodes do not help',
    shareOf: (played) => {
      const { cpu } = played.outcome.masters.most;
      // The busiest of equal nodes is a little above the others.
      return cpu > 1.5 * othersOf(played) ? cpu / 1e6 / FULL : 0;
    },
  },
  {
    what: 'the network of a node of Redis',
    instead: 'use more nodes, or a faster network',
    shareOf: ({ outcome: { masters } }) =>
      Math.max(masters.most.bytesOut, masters.most.bytesIn + masters.most.bus) / NETWORK,
  },
  {
    what: 'the core of an instance',
    instead: 'use more instances for the same sessions',
    shareOf: ({ outcome }) => outcome.instances.mean.cpu / 1e6 / FULL,
  },
  {
    what: 'the memory of a node of Redis',
    instead: 'use more nodes, or store streams for less than five minutes (`streams: { keepFor }`)',
    shareOf: ({ memory }) => memory / MEMORY,
  },
];

/** Microseconds of CPU a second that nodes with slots need, on average of all but the busiest one. */
export function othersOf({ scenario: { shards }, outcome: { masters } }: Played): number {
  return (masters.mean.cpu * shards - masters.most.cpu) / (shards - 1);
}

/** The limit that is reached most. */
export function firstLimit(played: Played): { readonly limit: Limit; readonly share: number } {
  const shares = LIMITS.map((limit) => ({ limit, share: limit.shareOf(played) }));
  return shares.reduce((one, other) => (other.share > one.share ? other : one));
}

/** A limit, and the number of instances from which a server is beyond it; undefined if none of the sizes is. */
export interface Reached {
  readonly limit: Limit;
  readonly instances: number | undefined;
}

/** All limits, in the order in which they are reached as a server grows. */
export function limitsReached(played: readonly Played[]): readonly Reached[] {
  const reached = LIMITS.map((limit) => ({ limit, instances: instancesAt(limit, played) }));
  const orderOf = ({ instances = Number.POSITIVE_INFINITY }: Reached): number => instances;
  return reached.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : orderOf(one) > orderOf(other) ? 1 : 0));
}

/** Between two sizes, shares grow as powers of the number of instances. */
function instancesAt({ shareOf }: Limit, played: readonly Played[]): number | undefined {
  const sizes = played.map((one) => ({ instances: one.scenario.instances, share: shareOf(one) }));
  const index = sizes.findIndex(({ share }) => share >= 1);
  const [before, after] = [sizes[index - 1], sizes[index]];
  if (!before || !after || before.share === 0) return after?.instances;
  const way = Math.log(1 / before.share) / Math.log(after.share / before.share);
  return before.instances * (after.instances / before.instances) ** way;
}
