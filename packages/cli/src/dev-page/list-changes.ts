/** What a model sees otherwise than before. */
import type { ReportedEntry } from '../dev/request-report';

/** An entry that was added, removed or changed. */
export interface ListedChange {
  readonly sign: '+' | '-' | '~';
  readonly name: string;
  /** The members of its definition that have changed. */
  readonly words: string;
}

/** Compares what is listed. */
export function changesBetween(before: readonly ReportedEntry[], after: readonly ReportedEntry[]): ListedChange[] {
  const [old, now] = [byKey(before), byKey(after)];
  const added = after.filter((entry) => !old.has(nameOf(entry))).map(({ key }) => change('+', key));
  const removed = before.filter((entry) => !now.has(nameOf(entry))).map(({ key }) => change('-', key));
  const other = after.flatMap((entry) => {
    const known = old.get(nameOf(entry));
    const words = known ? changedMembers(known, entry) : '';
    return words === '' ? [] : [change('~', entry.key, words)];
  });
  return [...added, ...removed, ...other];
}

function byKey(entries: readonly ReportedEntry[]): ReadonlyMap<string, ReportedEntry> {
  return new Map(entries.map((entry) => [nameOf(entry), entry]));
}

/** A tool and a prompt may have the same name. */
function nameOf({ kind, key }: ReportedEntry): string {
  return `${kind} ${key}`;
}

function change(sign: ListedChange['sign'], name: string, words = ''): ListedChange {
  return { sign, name, words };
}

function changedMembers({ members: old }: ReportedEntry, { members: now }: ReportedEntry): string {
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return names.filter((name) => old[name] !== now[name]).join(', ');
}
