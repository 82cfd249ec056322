/** The options of `telemetry`. */
import { membersOf, OPTION_RULES, type OptionRule } from '@sigil-mcp/core/internal';
import type { Meter, Tracer } from '@opentelemetry/api';

/** What is recorded, and with what. */
export interface TelemetryOptions {
  /** Makes the spans; that of the global provider if left out. `false` for no spans. */
  readonly tracer?: Tracer | false;
  /** Makes the metrics; that of the global provider if left out. `false` for no metrics. */
  readonly meter?: Meter | false;
  /** Whether spans have the IP addresses of clients; false if left out. */
  readonly addresses?: boolean;
  /** The URI of a resource as a span has it, because it may contain what is private; none if left out. */
  readonly resourceUri?: (uri: string) => string | undefined;
  /**
   * What spans have of the calls of tools: their arguments, their results. Values of properties with `@Sensitive()` never. Nothing if left
   * out, because they may be private.
   */
  readonly record?: RecordedParts;
  /** Whether spans have the attributes that Sentry shows for MCP, too; false if left out. */
  readonly sentry?: boolean;
}

/** Which parts of calls are recorded. Longer texts than 4,096 characters are cut. */
export interface RecordedParts {
  /** false if left out. */
  readonly arguments?: boolean;
  /** false if left out. */
  readonly results?: boolean;
}

const MAKER: OptionRule = {
  wanted: 'an object of OpenTelemetry, or false',
  fits: (value) => value === false || OPTION_RULES.object.fits(value),
};

/** What each option may be. */
export const TELEMETRY_OPTIONS: Readonly<Record<keyof TelemetryOptions, OptionRule>> = {
  tracer: MAKER,
  meter: MAKER,
  addresses: OPTION_RULES.flag,
  resourceUri: OPTION_RULES.function,
  record: membersOf({ arguments: OPTION_RULES.flag, results: OPTION_RULES.flag }),
  sentry: OPTION_RULES.flag,
};
