/** stdout and stderr as sinks, for programs whose output is collected. */
import { auditError } from '../errors';
import type { AuditSink } from './audit-sink';

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
