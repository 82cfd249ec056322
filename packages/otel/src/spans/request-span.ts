/** The span of one request, from its reading to its answer, with a span for each question that is sent to the client. */
import { context, propagation, SpanKind, trace, type Context, type Span, type Tracer } from '@opentelemetry/api';
import type { ObservedQuestion, ObservedRequest, RequestObserver } from '@sigil-mcp/core';
import { ATTRIBUTES, OTHER, OWN } from '../conventions';
import type { TelemetryOptions } from '../telemetry-options';
import { OBSERVER_NAME, parentOf, noteOf } from './span-parent';

/** What spans are made with. */
export interface SpanSettings extends Pick<TelemetryOptions, 'addresses' | 'resourceUri' | 'record' | 'sentry'> {
  readonly tracer: Tracer;
}

/** Runs one request in its span. For a span that is not recorded, this is all there is to do. */
export class RequestSpan implements RequestObserver {
  readonly span: Span;
  readonly #context: Context;

  constructor(
    private readonly request: ObservedRequest,
    private readonly tracer: Tracer,
  ) {
    const { parent, links } = parentOf(request);
    this.span = tracer.startSpan(OTHER, { kind: SpanKind.SERVER, links }, parent);
    this.#context = trace.setSpan(parent, this.span);
  }

  run<T>(next: () => T): T {
    return context.with(this.#context, next);
  }

  /** A question that is sent has a span of its own, and the client receives its ids. */
  asked({ method, key, meta }: ObservedQuestion): (() => void) | void {
    if (!meta) return undefined;
    const attributes = { [ATTRIBUTES.method]: method, [OWN.questionKey]: key };
    const span = this.tracer.startSpan(method, { kind: SpanKind.CLIENT, attributes }, this.#context);
    propagation.inject(trace.setSpan(this.#context, span), meta);
    return () => span.end();
  }

  /** The first round of the call, which the later ones belong to. */
  note(): string {
    return this.request.notes[OBSERVER_NAME] ?? noteOf(this.span.spanContext());
  }
}
