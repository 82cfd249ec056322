/** A function as a sink: a database, a queue, a collector over the network. */
import type { MaybePromise } from '@sigil-mcp/core/adapter';
import type { AuditRecord } from '../records/audit-record';
import type { AuditSink } from './audit-sink';

/**
 * Takes records in their order, in batches. What it rejects, it receives again.
 * @param lines the records as they were sealed: a chain is verified by these
 */
export type TakeRecords = (records: readonly AuditRecord[], lines: readonly string[]) => MaybePromise<unknown>;

/** The sink that calls a function. */
export function functionSink(take: TakeRecords): AuditSink {
  return {
    kind: 'function',
    write: async (lines) => {
      // They were written here.
      await take(
        lines.map((line) => JSON.parse(line) as AuditRecord),
        lines,
      );
    },
  };
}
