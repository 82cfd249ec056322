/** What tasks ask of a node of Redis, and how many it carries, in tables and a sentence. */
import { mostTasks, TASK_OPERATIONS, workOf, type TaskCosts, type TaskLives } from '../model/tasks';
import { short, type Table } from './write-table';

/** Instances of a server with tasks. */
const SIZES = [3, 10, 30, 100, 300] as const;
const HOUR = 3600;
/** Tasks as they are usual: of some seconds and of an hour, with clients that poll as often as they are asked to, and that subscribe. */
const LIVES: readonly (readonly [words: string, lives: TaskLives])[] = [
  ['10 s, polled each second', { lasts: 10, followed: { polls: 1 } }],
  ['10 s, watched', { lasts: 10, followed: 'watched' }],
  ['an hour, polled each second', { lasts: HOUR, followed: { polls: 1 } }],
  ['an hour, watched', { lasts: HOUR, followed: 'watched' }],
];

/** One line for each operation: what the node runs for it. */
export function taskOperationsTable({ operations }: TaskCosts): Table {
  const head = ['tasks', 'run by Redis', 'commands', 'bytes', 'CPU, µs', 'CPU for each further instance, µs'];
  const rows = TASK_OPERATIONS.map((operation) => {
    const { names, commands, bytes, cpu, further } = operations[operation];
    const words = Object.entries(names).map(([name, count]) => `${short(count)} \`${name.toUpperCase()}\``);
    return [operation, words.join(', ') || 'nothing', short(commands), short(bytes), short(cpu), short(further.cpu)];
  });
  return { head, rows };
}

/** One line for each number of instances: how many tasks a node carries, for each kind of life. */
export function mostTasksTable(costs: TaskCosts): Table {
  const head = ['instances', ...LIVES.flatMap(([words]) => [`tasks of ${words}: a second`, 'running'])];
  const rows = SIZES.map((instances) => [
    instances.toLocaleString('en'),
    ...LIVES.flatMap(([, lives]) => {
      const { perSecond, running } = mostTasks(costs, instances, lives);
      return [short(perSecond), short(running)];
    }),
  ]);
  return { head, rows };
}

/** What the tables mean for a server of an ordinary size. */
export function sayTasks(costs: TaskCosts): string {
  const [few = 3] = SIZES;
  const [polled, watched] = [LIVES[2]?.[1], LIVES[3]?.[1]].map((lives) => mostTasks(costs, few, lives as TaskLives));
  const { idle } = workOf(costs, few, { lasts: 0, followed: 'watched' });
  return [
    `With ${few} instances, a node carries ${short(watched?.running ?? 0)} tasks of an hour that are watched, and ${short(polled?.running ?? 0)} that are polled each second.`,
    `Their instances cost it ${short(idle.cpu / 1000)} ms of CPU a second when nothing happens.`,
    `Measured with Redis ${costs.measured.redis} and ${costs.measured.tasks.toLocaleString('en')} tasks.`,
  ].join('\n');
}
