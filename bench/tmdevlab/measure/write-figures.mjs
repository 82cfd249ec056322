/** The figures as tables, and whether the aim is met. */
import { middleOf, shareOf } from '../../../test/measures/bench/contest/rounds.mjs';
import { judge, say, writeTable, quantile } from '../../../test/measures/bench/report.mjs';

const AIM = 1.1;
const HEAD = [
  'server',
  'clients',
  'sessions',
  'CPU µs',
  'min',
  'max',
  'requests/s',
  'busy',
  'p50 ms',
  'p95',
  'p99',
  'MiB',
  'wrong',
];

/** The comparison of servers. */
export function writeEntries(played) {
  writeAll(played);
  for (const sigil of played.filter(({ server }) => server === 'sigil')) {
    const other = played.find(
      ({ server, clients, hasSessions }) =>
        server === 'hand-written' && clients === sigil.clients && hasSessions === sigil.hasSessions,
    );
    if (other === undefined) continue;
    const { middle, lower, upper } = shareOf(sigil, other, 'cost');
    const words = `${sigil.clients}, ${sigil.hasSessions ? 'sessions' : 'no sessions'}`;
    const range = `${lower.toFixed(2)} to ${upper.toFixed(2)}`;
    judge(
      `${words}: ${middle.toFixed(2)} times the CPU of the hand-written server (${range})`,
      middle <= AIM,
      `${AIM}`,
    );
  }
}

/** What clients cost in the same server. */
export function writeClients(played) {
  writeAll(played);
  const [plain, ...others] = played;
  for (const other of others) {
    const { middle, lower, upper } = shareOf(other, plain, 'cost');
    const range = `${lower.toFixed(2)} to ${upper.toFixed(2)}`;
    say(`${other.clients}: ${middle.toFixed(2)} times the CPU of ${plain.clients} (${range})`);
  }
}

function writeAll(played) {
  say('CPU is user and system time of the server for each counted request (initialize, tools/list, tools/call);');
  say('medians of the rounds, and the least and most of them; latencies are those of tools/call\n');
  writeTable(HEAD, played.map(rowOf), 3);
  say('');
}

function rowOf(entry) {
  const costs = entry.rounds.map(({ cost }) => cost);
  const middle = (figure, digits) => middleOf(entry, figure).toFixed(digits);
  return [
    entry.server,
    entry.clients,
    entry.hasSessions ? 'yes' : 'no',
    middle('cost', 0),
    quantile(costs, 0).toFixed(0),
    quantile(costs, 1).toFixed(0),
    middle('rate', 0),
    `${(middleOf(entry, 'busy') * 100).toFixed(0)}%`,
    middle('p50', 1),
    middle('p95', 1),
    middle('p99', 1),
    middle('resident', 0),
    String(entry.rounds.reduce((sum, { wrong }) => sum + wrong, 0)),
  ];
}
