/** What the figures mean, in sentences. */
import type { Costs } from '../model/costs';
import { limitsReached } from './limits';
import { SESSIONS, SIZES, type Played } from './play-sizes';
import { short } from './write-table';

/** What breaks first, with how many instances, and what to do about it. */
export function sayBreaking(played: readonly Played[]): string {
  const [first] = limitsReached(played);
  const most = SIZES[SIZES.length - 1] ?? 0;
  if (first?.instances === undefined) return `Nothing is at its limit up to ${countOf(most)} instances.`;
  const { instances, limit } = first;
  const size = `about ${countOf(instances)} instances and ${countOf(instances * SESSIONS)} sessions`;
  return `What breaks first is ${limit.what}, with ${size}. To go further: ${limit.instead}.`;
}

/** What one change of a list means for a server of the largest size. */
export function sayListChange({ operations }: Costs): string {
  const { every, listener } = operations['change a list'];
  const call = operations.call;
  const instances = SIZES[SIZES.length - 1] ?? 0;
  const node = every.nodes.reduce((sum, { cpu }) => sum + cpu, 0);
  const [read, notify, list] = [
    (node * instances) / 1e6,
    (listener * SESSIONS) / 1e6,
    (call.server.cpu * SESSIONS) / 1e6,
  ];
  return [
    `A change of a list is read by all instances and sent to all clients. With ${countOf(instances)} instances, that is ${short(read)} s of CPU for the`,
    `node of Redis with the log, and ${short(notify)} s for each instance to notify its ${countOf(SESSIONS)} clients. If all clients then read the`,
    `list again, each instance works for another ${short(list)} s.`,
  ].join('\n');
}

function countOf(count: number): string {
  return Number(count.toPrecision(2)).toLocaleString('en');
}
