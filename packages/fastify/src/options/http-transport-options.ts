/** The options of `HttpTransport`. */
import type { EndpointOptions } from '@sigil-mcp/http';
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
