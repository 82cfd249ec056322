/** `telemetry()`: an observer that makes spans and metrics of what a server does. */
import { metrics, trace } from '@opentelemetry/api';
import type { Observer } from '@sigil-mcp/core';
import { requireOptions } from '@sigil-mcp/core/adapter';
import { ServerMetrics } from './metrics/server-metrics';
import { SCOPE } from './conventions';
import { OBSERVER_NAME } from './spans/span-parent';
import { ServerSpans } from './spans/server-spans';
import { TELEMETRY_OPTIONS, type TelemetryOptions } from './telemetry-options';
import { watchRequest } from './request-telemetry';

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
