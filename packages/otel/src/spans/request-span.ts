/** The span of one request, from its reading to its answer, with a span for each question that is sent to the client. */
import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type {
  Call,
  EntryFacts,
  ObservedQuestion,
  ObservedRequest,
  RequestObserver,
  RequestOutcome,
  Verdict,
} from '@sigil-mcp/core';
import { ATTRIBUTES, INPUT_REQUIRED, OTHER, OWN } from '../conventions';
import type { TelemetryOptions } from '../telemetry-options';
import { OBSERVER_NAME, parentOf, noteOf } from './span-parent';
import { isServerFault, type RequestAttributes } from './request-attributes';
import { recordedCall } from './recorded-call';
import { sentryAttributes } from './sentry-attributes';

/** What spans are made with. */
export interface SpanSettings extends Pick<TelemetryOptions, 'addresses' | 'resourceUri' | 'record' | 'sentry'> {
  readonly tracer: Tracer;
}

/** Longer values of clients are cut. */
const LONGEST = 200;

/** Watches one request. */
export class RequestSpan implements RequestObserver {
  readonly #span: Span;
  readonly #context: Context;
  #tool: EntryFacts | undefined;

  constructor(
    private readonly request: ObservedRequest,
    private readonly attributes: RequestAttributes,
    private readonly settings: SpanSettings,
  ) {
    const { parent, links } = parentOf(request);
    this.#span = settings.tracer.startSpan(OTHER, { kind: SpanKind.SERVER, links }, parent);
    this.#context = trace.setSpan(parent, this.#span);
  }

  run<T>(next: () => T): T {
    return context.with(this.#context, next);
  }

  opened({ method, round, entry }: Call): void {
    if (!this.#span.isRecording()) return;
    if (entry?.kind === 'tool') this.#tool = entry;
    this.#span.updateName(this.attributes.spanName);
    if (round > 1) this.#span.setAttribute(OWN.round, round);
    const uri = this.request.params?.['uri'];
    const shown =
      typeof uri === 'string' && method.startsWith('resources/') ? this.settings.resourceUri?.(uri) : undefined;
    if (shown !== undefined) this.#span.setAttribute(ATTRIBUTES.resourceUri, shown);
  }

  judged(guard: string, verdict: Verdict): void {
    if (!this.#span.isRecording()) return;
    const outcome = typeof verdict === 'boolean' ? (verdict ? 'allowed' : 'refused') : 'denied';
    this.#span.addEvent(OWN.guard, { [OWN.guard]: guard, [OWN.verdict]: outcome });
  }

  /** A question that is sent has a span of its own, and the client receives its ids. */
  asked({ method, key, meta }: ObservedQuestion): (() => void) | void {
    if (!meta) return undefined;
    const attributes = { [ATTRIBUTES.method]: method, [OWN.questionKey]: key };
    const span = this.settings.tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, this.#context);
    propagation.inject(trace.setSpan(this.#context, span), meta);
    return () => span.end();
  }

  /** The first round of the call, which the later ones belong to. */
  note(): string {
    return this.request.notes[OBSERVER_NAME] ?? noteOf(this.#span.spanContext());
  }

  ended(outcome: RequestOutcome): void {
    const span = this.#span;
    try {
      if (span.isRecording()) this.#describe(outcome);
    } finally {
      // A value that cannot be recorded keeps no span open.
      span.end();
    }
  }

  #describe(outcome: RequestOutcome): void {
    const span = this.#span;
    const { record } = this.settings;
    span.updateName(this.attributes.spanName);
    if (isFailure(outcome)) span.setStatus({ code: SpanStatusCode.ERROR, ...messageOf(outcome) });
    if (outcome.kind === 'question') span.addEvent(INPUT_REQUIRED);
    span.setAttributes(this.#attributes());
    if (record && this.#tool) span.setAttributes(recordedCall(this.request, outcome, this.#tool, record));
  }

  #attributes(): Attributes {
    const { id, method, address, session, isBackground } = this.request;
    const { addresses = false, sentry = false } = this.settings;
    const { values } = this.attributes;
    return {
      ...values,
      // A span may have a method that no server has; a metric may not.
      [ATTRIBUTES.method]: method.slice(0, LONGEST),
      ...(!isBackground && { [ATTRIBUTES.requestId]: `${id}`.slice(0, LONGEST) }),
      ...(session !== undefined && { [ATTRIBUTES.session]: session }),
      ...(addresses && address !== undefined && { [ATTRIBUTES.address]: address }),
      ...(isBackground && { [OWN.isTask]: true }),
      ...(sentry && sentryAttributes(this.request, values)),
    };
  }
}

function isFailure(outcome: RequestOutcome): boolean {
  if (outcome.kind === 'error') return isServerFault(outcome.code);
  return outcome.kind === 'result' && outcome.isError;
}

/** What the client was told: never what was thrown. */
function messageOf(outcome: RequestOutcome): { readonly message?: string } {
  return outcome.kind === 'error' ? { message: `${outcome.code}` } : {};
}
