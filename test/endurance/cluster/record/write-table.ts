/** What a run came to, as a table for people. */
import { PROMISES } from '../promises';
import type { Played } from '../play-cluster';

/** The lines of the table, and of what is wrong. */
export function writeTable({ ledger, timeline }: Played): string {
  const faults = (['killed', 'paused', 'restarted', 'emptied', 'asleep', 'unsubscribed'] as const).map(
    (kind) => [FAULTS[kind], timeline.count(kind)] as const,
  );
  const counts = [...faults.filter(([, count]) => count > 0), ...ledger.counts].map(line);
  const promises = ledger.promises.map(({ name, count }) => line([name, count]));
  const examples = ledger.promises.flatMap(({ name, count, examples: some }) =>
    count === 0 ? [] : [`\n${name}: ${PROMISES[name]}. Not so:`, ...some.map((example) => `  ${example}`)],
  );
  return ['', ...counts, ...hopLines(ledger.hops), '', ...promises, ...examples].join('\n');
}

const FAULTS = {
  killed: 'processes killed',
  paused: 'processes held still',
  restarted: 'restarts of Redis',
  emptied: 'restarts of Redis without its data',
  asleep: 'times that Redis stood still',
  unsubscribed: 'times that Redis cut its listeners',
} as const;

function hopLines(hops: readonly number[]): readonly string[] {
  const at = (part: number): string =>
    (hops[Math.min(hops.length - 1, Math.floor(hops.length * part))] ?? 0).toFixed(1);
  return hops.length === 0 ? [] : [line(['answer to another process, p50 and p99', `${at(0.5)} and ${at(0.99)} ms`])];
}

function line([what, value]: readonly [string, number | string]): string {
  return `${what.padEnd(44)}${String(value).padStart(16)}`;
}
