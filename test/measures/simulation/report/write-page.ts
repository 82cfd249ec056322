/** The tables of docs/scale.md, between marks, so that they are always those of the costs. */
import type { Costs } from '../model/costs';
import { limitsReached } from './limits';
import { SESSIONS, SIZES, type Played, type Simulated } from './play-sizes';
import {
  checkTable,
  limitsTable,
  mostTasksTable,
  operationsTable,
  sayTasks,
  short,
  sizesTable,
  taskOperationsTable,
  writeMarkdown,
  type CheckedSize,
} from './tables';

/** A part of the page: its name, and everything up to its end. */
const PART = /(<!-- simulate: ([a-z-]+) -->\n)[\s\S]*?(<!-- end -->)/g;

/**
 * Writes all parts of a page again.
 * @throws Error for a part that nobody writes
 */
export function writePage(page: string, { costs, tasks, played }: Simulated, checked: readonly CheckedSize[]): string {
  const parts: Readonly<Record<string, () => string>> = {
    measured: () => sayMeasured(costs),
    operations: () => writeMarkdown(operationsTable(costs)),
    'more-nodes': () => `${writeMarkdown(sizesTable(played['more nodes']))}\n\n${sayBreaking(played['more nodes'])}`,
    'six-nodes': () => `${writeMarkdown(sizesTable(played['six nodes']))}\n\n${sayBreaking(played['six nodes'])}`,
    limits: () => writeMarkdown(limitsTable(played)),
    'list-change': () => sayListChange(costs),
    'task-operations': () => writeMarkdown(taskOperationsTable(tasks)),
    'most-tasks': () => `${writeMarkdown(mostTasksTable(tasks))}\n\n${sayTasks(tasks)}`,
    checked: () => writeMarkdown(checkTable(checked)),
  };
  return page.replace(PART, (_, head: string, name: string, end: string) => {
    const write = parts[name];
    if (!write) throw new Error(`The page has a part that nobody writes: ${name}.`);
    return `${head}\n${write()}\n\n${end}`;
  });
}

function sayMeasured({ measured: { sigil, node, redis, client, instances, nodes }, bus }: Costs): string {
  return [
    `Measured with Sigil ${sigil}, Node ${node}, Redis ${redis} and ${client}: ${instances} instances, and ${nodes} nodes of Redis, of which half are replicas.`,
    `A message on the bus of the cluster takes ${bus.bytes.toLocaleString('en')} bytes.`,
  ].join('\n');
}

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
