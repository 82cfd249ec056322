/** OpenTelemetry for Sigil servers. */
export { measureEventLoop } from './metrics/event-loop-delay';
export { telemetry } from './telemetry';
export type { RecordedParts, TelemetryOptions } from './telemetry-options';
export { tracedLogger } from './traced-logger';
