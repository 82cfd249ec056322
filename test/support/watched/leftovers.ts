/** What a server still holds that it did not hold before. */
import type { Holdings } from './watched-server';

/** What may be left: code that was compiled, caches with a limit. */
export interface Tolerance {
  /** Bytes of heap. */
  readonly heap: number;
  /** Instances of one class, handles of one kind. */
  readonly count: number;
}

/** Names what has grown; an empty list means that everything came back. */
export function leftovers(before: Holdings, after: Holdings, { heap, count }: Tolerance): string[] {
  const grown = after.heapUsed - before.heapUsed;
  return [
    ...(grown > heap ? [`heap: ${megabytes(before.heapUsed)} -> ${megabytes(after.heapUsed)}`] : []),
    ...more('instances', before.instances, after.instances, count),
    ...more('handles', before.handles, after.handles, count),
    ...more('listeners', before.listeners, after.listeners, 0),
  ];
}

/** Texts that are the same for every client are written once, for each entry and revision. */
const KEPT = ['CachedText'];

type Counts = Readonly<Record<string, number>>;

function more(what: string, before: Counts, after: Counts, tolerance: number): string[] {
  return Object.entries(after).flatMap(([name, count]) => {
    if (KEPT.includes(name)) return [];
    const earlier = before[name] ?? 0;
    return count > earlier + tolerance ? [`${what}: ${name} ${earlier} -> ${count}`] : [];
  });
}

/** Bytes for people. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
