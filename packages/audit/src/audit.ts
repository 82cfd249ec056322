/** `audit()`: an observer that records each decision of a server. */
import type { ObservedRefusal, ObservedRequest, ObservedServer, Observer, UnreadableMessage } from '@sigil-mcp/core';
import { settleWithin, SharedLife, type MaybePromise } from '@sigil-mcp/core/adapter';
import { readOptions, type AuditNumbers, type AuditOptions } from './audit-options';
import { AuditKeys } from './chain/audit-keys';
import { Chain, withoutChain, writeMark } from './chain/chain';
import { Delivery } from './delivery/delivery';
import { auditError } from './errors';
import { CallerTexts } from './records/caller-text';
import { EntryTexts, RecordTexts, timeText } from './records/record-text';
import { refusalRecord, startRecord, unreadableRecord } from './records/other-records';
import { OBSERVER_NAME, RequestWatch, type RecordServices } from './records/request-record';
import type { AuditSink } from './sinks/audit-sink';

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
