/** What `HttpTransport` takes. */
import type { EndpointOptions } from './endpoint-options';

/** Options of the transport; what is left out is taken from the environment, then from the defaults. */
export interface HttpTransportOptions extends EndpointOptions {
  /** Where to listen, 0 for any free port; `PORT` of the environment if left out, else 3000. */
  readonly port?: number;
  /**
   * The address to bind to, `localhost` for both 127.0.0.1 and ::1; `HOST` of the environment if left out, else 127.0.0.1. Name the
   * `allowedHosts` (`ALLOWED_HOSTS`) when binding elsewhere.
   */
  readonly host?: string;
  /**
   * Whose `X-Forwarded-For` says where a request comes from: the addresses or networks of your proxies (`10.0.0.0/8`, `loopback`);
   * `TRUST_PROXY` of the environment, separated by commas, if left out, else nobody's. Without it all who come through a proxy are
   * one client for the limits that count by address.
   */
  readonly trustProxy?: readonly string[];
  /** Milliseconds that a client has to send a request, head and body; 30,000 if left out. */
  readonly requestTimeout?: number;
  /**
   * Whether the process is the transport's: SIGTERM and SIGINT then close the server and end the process, and promises that a
   * handler left behind and a stderr that nobody reads do not. True if left out.
   */
  readonly handleSignals?: boolean;
}
