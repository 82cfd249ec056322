/** The heap that the limits of a server need, and the heap that its process has. */
import type * as V8 from 'node:v8';
import type { ResolvedLimits } from './server-limits';
import type { Account } from './account';

/** All amounts are bytes. */
export interface MemoryReport {
  /** What all clients make it hold, and the limit of that (`limits.held`); `null` for no limit. */
  readonly held: { readonly bytes: number; readonly limit: number | null };
  /** By what it is held for, such as `calls`, `sessions`, `tasks`. */
  readonly kinds: Readonly<Record<string, number>>;
  /** How many clients hold something. */
  readonly clients: number;
  /** The heap of the process, what it may have, and what the limits may need (`null` for no limit); left out where it is not known. */
  readonly heap?: { readonly used: number; readonly limit: number; readonly needed: number | null };
}

const MEBIBYTE = 1024 * 1024;

/** What the server itself takes, with its program. */
const SERVER = 30 * MEBIBYTE;
/** What a message takes while it is parsed, for each byte, before it can be counted. */
const PARSED = 28;

/** Bytes of heap that a server needs if clients make it hold all that its limits allow; `Infinity` without a limit. */
export function neededHeap({ held, messageBytes }: Pick<ResolvedLimits, 'held' | 'messageBytes'>): number {
  return held + PARSED * messageBytes + SERVER;
}

/** Bytes of heap of this process, and how many it may have; undefined where it is not V8 of Node, as at the edge. */
export function heapOfProcess(): { readonly used: number; readonly limit: number } | undefined {
  const v8 = process.getBuiltinModule('node:v8') as typeof V8 | undefined;
  const { used_heap_size: used, heap_size_limit: limit } = v8?.getHeapStatistics?.() ?? {};
  return used === undefined || !limit ? undefined : { used, limit };
}

/** What is held now. */
export function memoryReport(account: Account, limits: ResolvedLimits): MemoryReport {
  const heap = heapOfProcess();
  const finite = (bytes: number): number | null => (Number.isFinite(bytes) ? bytes : null);
  return {
    held: { bytes: account.all, limit: finite(limits.held) },
    kinds: account.kinds,
    clients: account.clients,
    ...(heap && { heap: { ...heap, needed: finite(neededHeap(limits)) } }),
  };
}
