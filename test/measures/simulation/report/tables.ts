/** The tables of a simulation. */
import { OPERATIONS, type Costs, type NodeCost, type OperationCost } from '../model/costs';
import { firstLimit, limitsReached, othersOf, type Reached } from './limits';
import { SESSIONS, type Played, type Simulated } from './play-sizes';
import { mostTasks, TASK_OPERATIONS, workOf, type TaskCosts, type TaskLives } from '../model/tasks';

/** By how much the model may differ. */
const TOLERANCE = 0.15;

/** A figure of the model and of reality, a second, for each instance or node on average. */
export interface Compared {
  readonly of: 'instance' | 'node' | 'replica';
  readonly what: 'commands' | 'bytes in' | 'bytes out' | 'bytes of the bus' | 'CPU, ms';
  readonly model: number;
  readonly real: number;
}

/** The figures of one size. */
export interface CheckedSize {
  readonly instances: number;
  readonly compared: readonly Compared[];
}

/** A table: its head, and rows of as many cells. */
interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

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

/** One line for each size: what each instance and each node has to do a second. */
export function sizesTable(played: readonly Played[]): Table {
  const head = [
    'instances',
    'sessions',
    'nodes',
    'an instance: CPU',
    'commands/s',
    'KB/s',
    'a node: CPU',
    'busiest',
    'commands/s',
    'MB/s',
    'memory, GB',
    'a call, ms',
    'at its limit',
  ];
  const rows = played.map((one) => {
    const { scenario, outcome, memory } = one;
    const { instances, masters, call } = outcome;
    const { limit, share } = firstLimit(one);
    const [mean, most] = [masters.mean, masters.most];
    return [
      scenario.instances.toLocaleString('en'),
      scenario.sessions.toLocaleString('en'),
      String(2 * scenario.shards),
      percent(instances.mean.cpu / 1e6),
      short(instances.mean.commands),
      short((instances.mean.bytesIn + instances.mean.bytesOut) / 1000),
      percent(othersOf(one) / 1e6),
      percent(most.cpu / 1e6),
      short(mean.commands),
      short((mean.bytesIn + mean.bytesOut + mean.bus) / 1e6),
      short(memory / 1e9),
      share < 1 ? short(call.middle) : 'grows',
      share < 1 ? '' : limit.what,
    ];
  });
  return { head, rows };
}

/** One line for each limit: from which size on it is reached. */
export function limitsTable(played: Simulated['played']): Table {
  const sizeOf = ({ instances }: Reached): string =>
    instances === undefined ? 'not reached' : `${short(instances)} instances, ${short(instances * SESSIONS)} sessions`;
  const all = (['more nodes', 'six nodes', 'many changes'] as const).map((growth) => limitsReached(played[growth]));
  const rows = (all[0] ?? []).map(({ limit }) => [
    limit.what,
    ...all.map((reached) => sizeOf(reached.find((one) => one.limit === limit) ?? { limit, instances: undefined })),
    limit.instead,
  ]);
  const head = [
    'limit',
    'more nodes',
    'six nodes',
    'more nodes, and ten times as many changes of resources',
    'what to do',
  ];
  return { head, rows };
}

/** One line for each operation: what is sent for it. */
export function operationsTable({ operations }: Costs): Table {
  const head = [
    'operation',
    'sent by instances',
    'run by Redis',
    'published',
    'bytes',
    'CPU of instances, µs',
    'of Redis, µs',
  ];
  const rows = OPERATIONS.map((operation) => {
    const cost = operations[operation];
    const nodes = [...cost.server.nodes, ...cost.other.nodes];
    const all = (value: (node: NodeCost) => number): number => nodes.reduce((sum, node) => sum + value(node), 0);
    const [publishes, shard] = [all((node) => node.publishes), all((node) => node.shardPublishes)];
    return [
      operation,
      namesOf(cost),
      short(all(({ commands }) => commands)),
      [publishes > 0 ? `${short(publishes)} to all nodes` : '', shard > 0 ? `${short(shard)} to a shard` : '']
        .filter(Boolean)
        .join(', '),
      short(all(({ bytesIn, bytesOut }) => bytesIn + bytesOut)),
      short(cost.server.cpu + cost.other.cpu),
      short(all(({ cpu }) => cpu)),
    ];
  });
  return { head, rows };
}

/** Commands by name, wherever they are sent to. */
function namesOf({ names, every }: OperationCost): string {
  const counts = new Map<string, number>();
  for (const [name, count] of Object.entries(names)) {
    const [, command = ''] = name.split(' ');
    counts.set(command, (counts.get(command) ?? 0) + count);
  }
  const words = [...counts].map(([name, count]) =>
    Math.round(count) === 1 ? `\`${name}\`` : `${short(count)} \`${name}\``,
  );
  const rest = every.sent > 0 ? [`${short(every.sent)} by each other instance`] : [];
  return [...words, ...rest].join(', ') || 'nothing';
}

/** One line for each figure that was compared with real processes. */
export function checkTable(sizes: readonly CheckedSize[]): Table {
  const [first] = sizes;
  const head = ['a second', ...sizes.flatMap(({ instances }) => [`${instances} instances: model`, 'real', 'ratio'])];
  const rows = (first?.compared ?? []).map(({ of, what }) => [
    `${NAMES[of]}: ${what}`,
    ...sizes.flatMap(({ compared }) => figuresOf(compared.find((each) => each.of === of && each.what === what))),
  ]);
  return { head, rows };
}

const NAMES: Readonly<Record<Compared['of'], string>> = {
  instance: 'an instance',
  node: 'a node',
  replica: 'a replica',
};

function figuresOf(compared: Compared | undefined): string[] {
  if (!compared) return ['', '', ''];
  const { model, real } = compared;
  return [short(model), short(real), `${(model / real).toFixed(2)}${isWrong(compared) ? ' (!)' : ''}`];
}

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

/** For a terminal: figures to the right. */
export function writePlain({ head, rows }: Table): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const lines = all.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

/** For a page. */
export function writeMarkdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Two digits that count, or all whole ones: 1234 as 1,200. */
export function short(figure: number): string {
  if (figure === 0) return '0';
  const rounded = Number(figure.toPrecision(2));
  return rounded.toLocaleString('en', { maximumFractionDigits: 3 });
}

/** A share of one as percent. */
function percent(share: number): string {
  return `${short(share * 100)} %`;
}

/** Whether a figure is too far away; CPU is not judged, because it depends on what else the machine does. */
export function isWrong({ what, model, real }: Compared): boolean {
  return what !== 'CPU, ms' && Math.abs(model / real - 1) > TOLERANCE;
}
