/** OpenTelemetry for Sigil servers. */
export { telemetry } from './telemetry';
export type { TelemetryOptions } from './telemetry-options';
export { tracedLogger } from './traced-logger';
