/** `telemetry()`: an observer that makes spans and metrics of what a server does. */
import { metrics, trace } from '@opentelemetry/api';
import type {
  Observer,
  Call,
  ObservedQuestion,
  ObservedRequest,
  RequestObserver,
  RequestOutcome,
  Verdict,
} from '@sigil-mcp/core';
import { requireOptions } from '@sigil-mcp/core/internal';
import { ServerMetrics } from './metrics/server-metrics';
import { SCOPE } from './conventions';
import { OBSERVER_NAME } from './spans/span-parent';
import { ServerSpans } from './spans/server-spans';
import { TELEMETRY_OPTIONS, type TelemetryOptions } from './telemetry-options';
import type { RecordedRequest } from './spans/recorded-request';
import { RequestAttributes } from './spans/request-attributes';
import type { RequestSpan } from './spans/request-span';

/**
 * Spans and metrics of a server, after the conventions for the Model Context Protocol. Without a provider that the program has registered,
 * nothing is recorded.
 * @example createServer({ name: 'weather', version: '1.0.0', features: [WeatherFeature], observers: [telemetry()] });
 * @throws DefinitionError for options that do not exist or are of the wrong kind
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/
 */
export function telemetry(options: TelemetryOptions = {}): Observer {
  requireOptions('telemetry', options, TELEMETRY_OPTIONS);
  const { tracer = trace.getTracer(SCOPE), meter = metrics.getMeter(SCOPE) } = options;
  const spans = tracer ? new ServerSpans({ ...options, tracer }) : undefined;
  const measured = meter ? new ServerMetrics(meter) : undefined;
  if (!spans && !measured) return { name: OBSERVER_NAME };
  return {
    name: OBSERVER_NAME,
    requestStarted: (request) => watchRequest(request, spans, measured),
    notificationReceived: (notification) => spans?.notified(notification),
    messageUnreadable(fault) {
      spans?.unreadable(fault);
      if (!fault.isRefused) measured?.refused(fault);
    },
    requestRefused(refusal) {
      spans?.refused(refusal);
      measured?.refused(refusal);
    },
    streamOpened: (stream) => measured?.stream(stream),
    sessionStarted: (session) => measured?.session(session),
    storeUsed: (command) => measured?.stored(command),
    onStart: (server) => measured?.serverStarted(server),
    onStop: (server) => measured?.serverStopped(server),
  };
}

/**
 * Starts the telemetry of a request.
 * @returns its span alone, if nothing is recorded: the rest would be made for nothing
 */
function watchRequest(
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
