/** The options of `HttpTransport`. */
import { OPTION_RULES, type OptionRule } from '@sigil-mcp/core/internal';
import type { EndpointOptions } from '@sigil-mcp/http';
import { ENDPOINT_OPTIONS } from '@sigil-mcp/http/adapter';
import type { ConnectionLimits } from './connection-limits';

/** Options of the transport; those that are left out come from the environment, then from the defaults. */
export interface HttpTransportOptions extends EndpointOptions {
  /** The port, 0 for any free one; `PORT` of the environment if left out, else 3000. */
  readonly port?: number;
  /**
   * The address to bind to, `localhost` for both 127.0.0.1 and ::1; `HOST` of the environment if left out, else 127.0.0.1. Set
   * `allowedHosts` (`ALLOWED_HOSTS`) with any other address.
   */
  readonly host?: string;
  /**
   * The proxies whose `X-Forwarded-For` is trusted for the address of a client: their addresses or networks (`10.0.0.0/8`, `loopback`);
   * `TRUST_PROXY` of the environment, separated by commas, if left out, else none. Without it, limits by address count all clients
   * behind a proxy as one.
   */
  readonly trustProxy?: readonly string[];
  /** How many connections may be open at the same time; 20,000, and 2,000 of one address, if left out. Further ones receive 503. */
  readonly connections?: ConnectionLimits;
  /** Milliseconds for a client to send a request, head and body; 30,000 if left out. */
  readonly requestTimeout?: number;
  /**
   * Whether the transport handles the signals of the process: SIGTERM and SIGINT then close the server and end the process, and neither
   * unhandled rejections of handlers nor an unread stderr end it. True if left out.
   */
  readonly handleSignals?: boolean;
}

const PORT: OptionRule = {
  wanted: 'a port, 0 for any free one',
  fits: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
};

/** What each option may be; those that are undefined are checked where they are read, which says more about them. */
export const TRANSPORT_OPTIONS: Readonly<Record<keyof HttpTransportOptions, OptionRule | undefined>> = {
  ...ENDPOINT_OPTIONS,
  port: PORT,
  host: OPTION_RULES.text,
  trustProxy: undefined,
  connections: OPTION_RULES.object,
  requestTimeout: { wanted: 'milliseconds, 0 or more', fits: (value) => typeof value === 'number' && value >= 0 },
  handleSignals: OPTION_RULES.flag,
};
