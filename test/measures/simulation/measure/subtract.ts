/** What was counted without what is not of the operation that is measured. */
import type { FleetCounts } from './fleet';
import { PLACES, TOPIC, type Counts } from './redis-cluster';

/**
 * Without the looks at resources that came in between, whichever instance had them.
 * @param look one of them
 * @param looking the instance that had it
 */
export function withoutLooks({ instances, nodes }: FleetCounts, look: FleetCounts, looking: number): FleetCounts {
  const without = (counts: Counts, one: Counts | undefined, looks: number): Counts =>
    new Map([...counts].map(([name, count]) => [name, count - looks * (one?.get(name) ?? 0)]));
  const looksOf = (counts: Counts): number => counts.get('look') ?? 0;
  const all = instances.reduce((sum, counts) => sum + looksOf(counts), 0);
  return {
    instances: instances.map((counts) => without(counts, look.instances[looking], looksOf(counts))),
    nodes: nodes.map((counts, index) => without(counts, look.nodes[index], all)),
  };
}

/** Without what the node for resources does, which nobody uses now, and its replica. */
export function withoutUnused({ instances, nodes }: FleetCounts): FleetCounts {
  const cpuOf = (index: number): number => nodes[index]?.get('cpu') ?? 0;
  const unusedAs = (index: number): number => cpuOf(index < PLACES.length ? TOPIC : TOPIC + PLACES.length);
  const without = (counts: Counts, index: number): Counts =>
    new Map([...counts, ['cpu', Math.max(0, cpuOf(index) - unusedAs(index))]]);
  return { instances, nodes: nodes.map(without) };
}

/** All instances as one. */
export function merged({ instances, nodes }: FleetCounts): FleetCounts {
  const all = new Map<string, number>();
  for (const counts of instances) for (const [name, count] of counts) all.set(name, (all.get(name) ?? 0) + count);
  return { instances: [all], nodes };
}
