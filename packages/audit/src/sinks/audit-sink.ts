/** The port of sinks: where records go. */
import type { Clock, Logger, MaybePromise } from '@sigil-mcp/core/adapter';
import type { ChainHead } from '../chain/chain';

/** What a sink is opened with. */
export interface SinkOpening {
  /** The log of the server. */
  readonly logger: Logger;
  readonly clock: Clock;
  /** Whether stdout belongs to the messages of the server. */
  readonly takesStdout: boolean;
  /** Writes the mark of a chain next to it; undefined without a chain. @param hash of the newest record */
  readonly mark: ((hash: string) => string) | undefined;
}

/** What was found in a sink. */
export interface OpenedSink {
  /** The newest record of an earlier run, which the chain continues; undefined for none. */
  readonly head?: ChainHead | undefined;
  /** Bytes of a last record that was cut off by a crash, and has been removed. */
  readonly torn?: number;
}

/**
 * Takes records, one JSON object a line. It is opened when the first server of an audit starts, and closed when the last has closed.
 * @example const sink: AuditSink = { write: (lines) => queue.publish(lines.join('\n')) };
 */
export interface AuditSink {
  /** Names it in the record of the start and in logs; `custom` if left out. */
  readonly kind?: string;
  /** Whether it takes each record at once; if left out, records are collected until the turn of the event loop is over. */
  readonly isImmediate?: boolean;
  /** If it throws or rejects, the server does not start. */
  open?(opening: SinkOpening): MaybePromise<OpenedSink | void>;
  /** Takes all lines, in their order, or throws or rejects: it then receives the same lines again. */
  write(lines: readonly string[]): MaybePromise<void>;
  close?(): MaybePromise<void>;
}
