/** What clients make a server hold, as its operator reads it. */
import type { Account } from './account';
import { heapOfProcess, neededHeap } from './needed-memory';
import type { ResolvedLimits } from './server-limits';

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
