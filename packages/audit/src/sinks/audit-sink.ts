/** The port of sinks: where records go. */
import type { Clock, Logger, MaybePromise } from '@sigil-mcp/core/adapter';
import type { ChainHead } from '../chain/chain';
import { auditError } from '../errors';
import type { AuditRecord } from '../records/audit-record';

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

// A function as a sink: a database, a queue, a collector over the network.

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

// stdout and stderr as sinks, for programs whose output is collected.

/** The mark of a stdout that belongs to the protocol; see `guardStdout` of `@sigil-mcp/core/stdio`. */
const GUARDED = Symbol.for('sigil.stdout');

/**
 * Writes records to stdout. A server over stdio cannot use it: stdout belongs to the protocol.
 * @throws SigilError `SIGIL_AUDIT_STDOUT` when the server starts or writes its first record over stdio
 */
export function stdoutSink(): AuditSink {
  return streamSink('stdout', process.stdout, checkStdout);
}

/** Writes records to stderr, also next to a server over stdio. */
export function stderrSink(): AuditSink {
  return streamSink('stderr', process.stderr, () => undefined);
}

function checkStdout(takesStdout = false): void {
  if (takesStdout || GUARDED in process.stdout) throw auditError('SIGIL_AUDIT_STDOUT');
}

function streamSink(kind: string, stream: NodeJS.WriteStream, check: (takesStdout?: boolean) => void): AuditSink {
  // The callback of each write has the error, too.
  const ignore = (): void => undefined;
  return {
    kind,
    isImmediate: true,
    open({ takesStdout }) {
      check(takesStdout);
      stream.on('error', ignore);
    },
    write(lines) {
      check();
      return new Promise((resolve, reject) => {
        stream.write(`${lines.join('\n')}\n`, (error) => (error ? reject(error) : resolve()));
      });
    },
    close: () => void stream.off('error', ignore),
  };
}
