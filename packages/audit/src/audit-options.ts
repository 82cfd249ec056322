/** The options of `audit`, and their checks. */
import type { Caller } from '@sigil-mcp/core';
import { nameValue, OPTION_RULES, requireOptions, type Clock, type OptionRule } from '@sigil-mcp/core/adapter';
import { checkNumber } from './check-number';
import { auditError } from './errors';
import { functionSink, type AuditSink, type TakeRecords } from './sinks/audit-sink';

/** What is recorded, and where. */
export interface AuditOptions {
  /** Where records go: `fileSink`, `stdoutSink`, `stderrSink`, a function that takes batches of records, or a sink of your own. */
  readonly sink: AuditSink | TakeRecords;
  /**
   * At least 32 characters, for the digests of arguments and for the chain; usually from the environment. Keep it: without it a chain
   * cannot be verified.
   */
  readonly secret: string | undefined;
  /** Whether each record has the hash of the record before it, for `sigil audit verify`; false if left out. */
  readonly chain?: boolean;
  /** Whether successful lists are recorded; false if left out. */
  readonly lists?: boolean;
  /** Whether records have the IP addresses of clients; false if left out. */
  readonly addresses?: boolean;
  /** The tenant of a caller, such as a claim of its token; none if left out. */
  readonly tenant?: (caller: Caller) => string | undefined;
  /** Bytes of records that wait for the sink at most; 16 MiB if left out. Further records are lost, and counted. */
  readonly maxBufferBytes?: number;
  /** Records in one batch at most; 500 if left out. */
  readonly batch?: number;
  /** Milliseconds that the sink has for one batch; 30,000 if left out. */
  readonly timeout?: number;
  /** Milliseconds that the last records have when the server closes; 5000 if left out. */
  readonly closeTimeout?: number;
  /** The clock; that of the server if left out. */
  readonly clock?: Clock;
}

const SHORTEST_SECRET = 32;

const DEFAULTS = { maxBufferBytes: 16 * 1024 * 1024, batch: 500, timeout: 30_000, closeTimeout: 5000 };

/** The numbers of the options. */
export type AuditNumbers = typeof DEFAULTS;

/** What each option may be; those that are undefined are checked below, which says more about them. */
const AUDIT_OPTIONS: Readonly<Record<keyof AuditOptions, OptionRule | undefined>> = {
  sink: undefined,
  secret: undefined,
  chain: OPTION_RULES.flag,
  lists: OPTION_RULES.flag,
  addresses: OPTION_RULES.flag,
  tenant: OPTION_RULES.function,
  maxBufferBytes: undefined,
  batch: undefined,
  timeout: undefined,
  closeTimeout: undefined,
  clock: OPTION_RULES.object,
};

/** @throws DefinitionError for options that do not exist, SigilError for a secret that is missing or short, and for values that are not a sink or a number */
export function readOptions(options: AuditOptions): { sink: AuditSink; secret: string; numbers: AuditNumbers } {
  requireOptions('audit', options, AUDIT_OPTIONS);
  const { secret } = options;
  // From JavaScript, anything may come.
  if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET)
    throw auditError('SIGIL_AUDIT_SECRET', { value: nameSecret(secret), least: SHORTEST_SECRET });
  const numbers = { ...DEFAULTS };
  for (const name of ['maxBufferBytes', 'batch', 'timeout', 'closeTimeout'] as const)
    numbers[name] = checkNumber(`audit({ ${name} })`, options[name] ?? DEFAULTS[name]);
  return { sink: sinkOf(options.sink), secret, numbers };
}

function sinkOf(sink: unknown): AuditSink {
  // Its result is awaited, even if it is no promise.
  if (typeof sink === 'function') return functionSink(sink as TakeRecords);
  if (typeof sink === 'object' && sink !== null && 'write' in sink && typeof sink.write === 'function')
    return sink as AuditSink;
  throw auditError('SIGIL_AUDIT_SINK', { value: nameValue(sink) });
}

/** Never the secret itself. */
function nameSecret(secret: unknown): string {
  return typeof secret === 'string' ? `a text of ${secret.length} characters` : nameValue(secret);
}
