/** `audit()`: an observer that records each decision of a server. */
import type {
  Caller,
  ObservedRefusal,
  ObservedRequest,
  ObservedServer,
  Observer,
  UnreadableMessage,
} from '@sigil-mcp/core';
import { settleWithin, SharedLife, type Clock, type MaybePromise } from '@sigil-mcp/core/adapter';
import { nameValue, OPTION_RULES, requireOptions, type OptionRule } from '@sigil-mcp/core/internal';
import { AuditKeys } from './chain/audit-keys';
import { Chain, withoutChain, writeMark } from './chain/chain';
import { checkNumber } from './check-number';
import { Delivery } from './delivery/delivery';
import { auditError } from './errors';
import { CallerTexts, EntryTexts, RecordTexts, timeText } from './records/record-text';
import { refusalRecord, startRecord, unreadableRecord } from './records/other-records';
import { OBSERVER_NAME, RequestWatch, type RecordServices } from './records/request-record';
import { functionSink, type AuditSink, type TakeRecords } from './sinks/audit-sink';

// The options of `audit`, and their checks.

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
type AuditNumbers = typeof DEFAULTS;

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
function readOptions(options: AuditOptions): { sink: AuditSink; secret: string; numbers: AuditNumbers } {
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

/** An observer for `createServer({ observers })`. */
export interface Audit extends Observer {
  /** How many records the sink could not take, and never will. */
  readonly lost: number;
  /** How many records wait for the sink. */
  readonly waiting: number;
}

/**
 * Records who did what, and what was decided: one record for each call, read, prompt, completion, task, subscription and refusal.
 * @throws SigilError for options that cannot be used
 * @example
 * const log = audit({ sink: fileSink({ path: '/var/log/bank/audit.log' }), secret: process.env['AUDIT_SECRET'], chain: true });
 * createServer({ name: 'bank', version: '1.0.0', features: [Payments], observers: [log] });
 */
export function audit(options: AuditOptions): Audit {
  return new ServerAudit(options);
}

/** Open from the start of its first server to the end of its last. */
class ServerAudit implements Audit {
  readonly name = OBSERVER_NAME;
  readonly #sink: AuditSink;
  readonly #numbers: AuditNumbers;
  readonly #keys: AuditKeys;
  readonly #life = new SharedLife();
  #delivery: Delivery | undefined;
  #services: RecordServices | undefined;
  #stopCounting: (() => void) | undefined;
  /** Of earlier openings. */
  #lostBefore = 0;

  constructor(private readonly options: AuditOptions) {
    const { sink, secret, numbers } = readOptions(options);
    this.#sink = sink;
    this.#numbers = numbers;
    this.#keys = new AuditKeys(secret);
  }

  get lost(): number {
    return this.#lostBefore + (this.#delivery?.lost ?? 0);
  }

  get waiting(): number {
    return this.#delivery?.waiting ?? 0;
  }

  onStart(server: ObservedServer): MaybePromise<void> {
    return this.#life.enter(() => this.#open(server));
  }

  onStop(): MaybePromise<void> {
    return this.#life.leave(() => this.#close());
  }

  requestStarted(request: ObservedRequest): RequestWatch | undefined {
    return this.#services && new RequestWatch(request, this.#services);
  }

  messageUnreadable(fault: UnreadableMessage): void {
    if (!fault.isRefused && this.#services) this.#services.add(unreadableRecord(fault, this.#services.texts));
  }

  requestRefused(refusal: ObservedRefusal): void {
    if (!this.#services) return;
    const { texts, callers, add } = this.#services;
    add(refusalRecord(refusal, texts, callers));
  }

  async #open(server: ObservedServer): Promise<void> {
    const clock = this.options.clock ?? server.clock;
    const texts = new RecordTexts(clock);
    const chain = this.options.chain ? new Chain(this.#keys) : undefined;
    const mark = chain && ((hash: string): string => writeMark(hash, timeText(clock.now()), this.#keys));
    const { head, torn } =
      (await this.#sink.open?.({ logger: server.logger, clock, takesStdout: server.takesStdout, mark })) ?? {};
    if (head) chain?.continueAfter(head);
    const seal = chain?.seal ?? withoutChain;
    const parts = { sink: this.#sink, seal, texts, logger: server.logger, clock };
    const delivery = (this.#delivery = new Delivery(parts, this.#numbers));
    const sink = { kind: this.#sink.kind ?? 'custom', torn, keys: this.#keys };
    delivery.add(startRecord(server, sink, texts));
    this.#services = this.#servicesFor(texts, delivery);
    this.#stopCounting = server.held.meter('audit', () => delivery.bytes);
  }

  #servicesFor(texts: RecordTexts, delivery: Delivery): RecordServices {
    const { addresses = false, tenant, lists = false } = this.options;
    const callers = new CallerTexts({ addresses, tenant }, this.#keys);
    return { texts, callers, entries: new EntryTexts(), keys: this.#keys, lists, add: (body) => delivery.add(body) };
  }

  /** The sink is closed even if it did not take everything. */
  async #close(): Promise<void> {
    const [delivery, services] = [this.#delivery, this.#services];
    this.#services = undefined;
    if (!delivery || !services) return;
    delivery.add(services.texts.begin('stopped', ''));
    const count = await delivery.drain(this.#numbers.closeTimeout);
    this.#stopCounting?.();
    this.#lostBefore += delivery.lost;
    this.#delivery = undefined;
    await this.#closeSink();
    if (count > 0) throw auditError('SIGIL_AUDIT_UNDELIVERED', { count });
  }

  async #closeSink(): Promise<void> {
    const closed = Promise.resolve(this.#sink.close?.());
    if (await settleWithin(this.#numbers.closeTimeout, closed, this.options.clock)) await closed;
  }
}
