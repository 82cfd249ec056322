/** The tables of docs/scale.md, between marks, so that they are always those of the costs. */
import type { Costs } from '../model/costs';
import type { CheckedSize } from './compared';
import type { Simulated } from './play-sizes';
import { sayBreaking, sayListChange } from './sentences';
import { checkTable, limitsTable, operationsTable, sizesTable } from './tables';
import { mostTasksTable, sayTasks, taskOperationsTable } from './task-tables';
import { writeMarkdown } from './write-table';

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
