/** The tables of a simulation. */
import { OPERATIONS, type Costs, type NodeCost, type OperationCost } from '../model/costs';
import { isWrong, type CheckedSize, type Compared } from './compared';
import { firstLimit, limitsReached, othersOf, type Reached } from './limits';
import { SESSIONS, type Played, type Simulated } from './play-sizes';
import { percent, short, type Table } from './write-table';

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
