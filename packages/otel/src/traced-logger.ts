/** Log lines with the trace and the span that they belong to. */
import { trace } from '@opentelemetry/api';
import type { Logger } from '@sigil-mcp/core';

/**
 * A logger whose lines have `trace_id` and `span_id` while a request is answered.
 * @example createServer({ logger: tracedLogger(pino(pino.destination(2))), observers: [telemetry()], … });
 * @see https://opentelemetry.io/docs/specs/otel/compatibility/logging_trace_context/
 */
export function tracedLogger(logger: Logger): Logger {
  const withSpan = (fields: object): object => {
    const span = trace.getActiveSpan()?.spanContext();
    return span ? { ...fields, trace_id: span.traceId, span_id: span.spanId } : fields;
  };
  return {
    debug: (fields, message) => logger.debug(withSpan(fields), message),
    info: (fields, message) => logger.info(withSpan(fields), message),
    warn: (fields, message) => logger.warn(withSpan(fields), message),
    error: (fields, message) => logger.error(withSpan(fields), message),
  };
}
