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
import { RequestAttributes } from './spans/request-attributes';
import type { RequestSpan } from './spans/request-span';
import type { ServerSpans } from './spans/server-spans';

/** A class, because an object that is put together for each request takes longer than the rest of its telemetry. */
export class RequestTelemetry implements RequestObserver {
  readonly #attributes: RequestAttributes;
  readonly #span: RequestSpan | undefined;

  constructor(
    request: ObservedRequest,
    spans: ServerSpans | undefined,
    private readonly measured: ServerMetrics | undefined,
  ) {
    this.#attributes = new RequestAttributes(request);
    this.#span = spans?.start(request, this.#attributes);
    measured?.started();
  }

  run<T>(next: () => T): T {
    return this.#span ? this.#span.run(next) : next();
  }

  note(): string | undefined {
    return this.#span?.note();
  }

  opened(call: Call): void {
    this.#attributes.opened(call);
    this.#span?.opened(call);
  }

  judged(guard: string, verdict: Verdict): void {
    this.#span?.judged(guard, verdict);
  }

  asked(question: ObservedQuestion): (duration: number) => void {
    const end = this.#span?.asked(question);
    return (duration) => {
      end?.();
      if (question.meta) this.measured?.asked(question.method, duration);
    };
  }

  ended(outcome: RequestOutcome, duration: number): void {
    this.#attributes.ended(outcome);
    this.#span?.ended(outcome);
    this.measured?.ended(this.#attributes, duration);
  }
}
