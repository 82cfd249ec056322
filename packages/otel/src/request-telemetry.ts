/** What telemetry does with one request: tells its span and the metrics of the server. */
import type {
  Call,
  ObservedQuestion,
  ObservedRequest,
  RequestObserver,
  RequestOutcome,
  Verdict,
} from '@sigil-mcp/core';
import type { ServerMetrics } from './metrics/server-metrics';
import type { RecordedRequest } from './spans/recorded-request';
import { RequestAttributes } from './spans/request-attributes';
import type { RequestSpan } from './spans/request-span';
import type { ServerSpans } from './spans/server-spans';

/**
 * Starts the telemetry of a request.
 * @returns its span alone, if nothing is recorded: the rest would be made for nothing
 */
export function watchRequest(
  request: ObservedRequest,
  spans: ServerSpans | undefined,
  measured: ServerMetrics | undefined,
): RequestObserver | undefined {
  const span = spans?.start(request);
  if (!measured && !span?.span.isRecording()) return span;
  const attributes = new RequestAttributes(request);
  const recorded = span && spans?.describe(span, request, attributes);
  return new RequestTelemetry(attributes, span, recorded, measured);
}

/** A class, because an object that is put together for each request takes longer than the rest of its telemetry. */
class RequestTelemetry implements RequestObserver {
  constructor(
    private readonly attributes: RequestAttributes,
    private readonly span: RequestSpan | undefined,
    private readonly recorded: RecordedRequest | undefined,
    private readonly measured: ServerMetrics | undefined,
  ) {
    measured?.started();
  }

  run<T>(next: () => T): T {
    return this.span ? this.span.run(next) : next();
  }

  note(): string | undefined {
    return this.span?.note();
  }

  opened(call: Call): void {
    this.attributes.opened(call);
    this.recorded?.opened(call);
  }

  judged(guard: string, verdict: Verdict): void {
    this.recorded?.judged(guard, verdict);
  }

  asked(question: ObservedQuestion): (duration: number) => void {
    const end = this.span?.asked(question);
    return (duration) => {
      end?.();
      if (question.meta) this.measured?.asked(question.method, duration);
    };
  }

  ended(outcome: RequestOutcome, duration: number): void {
    this.attributes.ended(outcome);
    this.recorded?.ended(outcome);
    this.measured?.ended(this.attributes, duration);
  }
}
