/** What a server says at its start about the heap of its process. */
import { heapOfProcess, neededHeap } from '../limits/needed-memory';
import type { ResolvedLimits } from '../limits/server-limits';
import type { Logger } from '../logging/logger';

const MEBIBYTE = 1024 * 1024;

/** Says so in the log, if the process may have less heap than the limits need. */
export function warnOfHeap(limits: Pick<ResolvedLimits, 'held' | 'messageBytes'>, logger: Logger): void {
  const [needed, heap] = [neededHeap(limits), heapOfProcess()];
  if (!heap || needed === Infinity || needed <= heap.limit) return;
  const [neededMiB, heapMiB] = [needed, heap.limit].map((bytes) => Math.ceil(bytes / MEBIBYTE));
  logger.warn(
    { neededMiB, heapMiB },
    `The limits of this server may need ${neededMiB} MiB of heap, and its process may have ${heapMiB} MiB: clients could end it. Start it with NODE_OPTIONS=--max-old-space-size=${neededMiB}, or lower limits.held and limits.messageBytes.`,
  );
}
