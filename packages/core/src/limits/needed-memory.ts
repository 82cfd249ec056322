/** The heap that the limits of a server need, and the heap that its process has. */
import type * as V8 from 'node:v8';
import type { ResolvedLimits } from './server-limits';

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
