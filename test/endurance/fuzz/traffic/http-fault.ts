/** What can be odd about an HTTP request around its message. */
import fc from 'fast-check';

/** One oddity or several; what is left out is as it should be. */
export interface HttpFault {
  /** Which of the client's connections it uses. */
  readonly connection?: number;
  /** Sent without waiting for the answers to what was sent before on the same connection. */
  readonly isPipelined?: boolean;
  /** The bytes leave in two pieces. */
  readonly splitAt?: number;
  /** The client stops reading for a while, milliseconds. */
  readonly deaf?: number;
  readonly method?: string;
  readonly path?: string;
  /** Set to a value, or left out. */
  readonly headers?: readonly { readonly name: string; readonly value: string | null; readonly isSecond?: boolean }[];
  readonly framing?: 'chunked' | 'longer' | 'shorter' | 'both' | 'none' | 'broken chunks';
  /** The connection is reset when so many bytes were sent. */
  readonly resetAt?: number;
  /** The client sends nothing more on the connection, and still reads. */
  readonly isHalfClosed?: boolean;
}

/** Whether the request is one that HTTP lets through, and its answer will arrive. */
export function isSound({ method, path, headers, framing, resetAt, isHalfClosed }: HttpFault): boolean {
  const isWhole = framing === undefined || framing === 'chunked';
  return isWhole && !method && !path && !headers && resetAt === undefined && !isHalfClosed;
}

const headerName = fc.constantFrom(
  'Content-Type', 'Accept', 'MCP-Protocol-Version', 'Mcp-Session-Id', 'Mcp-Method', 'Mcp-Name', 'Mcp-Param-Region', 'Last-Event-ID', 'Host',
  'Origin', 'Content-Length', 'Content-Encoding', 'Transfer-Encoding', 'Expect', 'Connection', 'Upgrade', 'X-Odd',
); // prettier-ignore
const headerValue = fc.constantFrom(
  null, '', 'x', '2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05', 'null', 'application/json', 'text/event-stream', '*/*', 'text/plain',
  'application/json; charset=utf-16', 'gzip', 'chunked', '100-continue', '0', '-1', '5', 'close', 'websocket', 'http://evil.example', 'evil.example',
  'tools/list', 'echo', '=?base64?ZWNobw==?=', '=?base64?!?=', 'session-0', 'r0-0', 'r0-99999', '__proto__', 'é', '\x00', 'a\x01b', 'y'.repeat(9000),
); // prettier-ignore

const harmless = fc.record(
  {
    connection: fc.nat({ max: 2 }),
    isPipelined: fc.boolean(),
    splitAt: fc.nat({ max: 700 }),
    deaf: fc.constantFrom(5, 40),
    framing: fc.constant('chunked' as const),
  },
  { requiredKeys: [] },
);
const rude = fc.record(
  {
    connection: fc.nat({ max: 2 }),
    isPipelined: fc.boolean(),
    method: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS', 'PATCH', 'post', 'CONNECT', 'PRI', ''),
    path: fc.constantFrom(
      '/',
      '/mcp/',
      '/mcp?x=1',
      '/sse',
      '/messages',
      '/messages?sessionId=x',
      '/healthz',
      '/%',
      '//',
      '*',
      '/mcp#',
      'http://evil.example/mcp',
    ),
    headers: fc.array(
      fc.record({ name: headerName, value: headerValue, isSecond: fc.boolean() }, { requiredKeys: ['name', 'value'] }),
      { minLength: 1, maxLength: 2 },
    ),
    framing: fc.constantFrom(
      'longer' as const,
      'shorter' as const,
      'both' as const,
      'none' as const,
      'broken chunks' as const,
    ),
    resetAt: fc.nat({ max: 900 }),
    isHalfClosed: fc.constant(true),
  },
  { requiredKeys: [] },
);
/** The streams of a session: opened, taken up again, ended. */
const streams = fc.record({
  method: fc.constantFrom('GET', 'GET', 'DELETE'),
  connection: fc.nat({ max: 2 }),
  headers: fc.oneof(
    fc.constant([]),
    fc
      .tuple(fc.constantFrom('session', 'r0', 'r1', 'r2'), fc.nat({ max: 12 }))
      .map(([stream, place]) => [{ name: 'Last-Event-ID', value: `${stream}-${place}` }]),
  ),
});

/** Any of these. */
export const httpFault: fc.Arbitrary<HttpFault> = fc.oneof(
  { weight: 5, arbitrary: harmless },
  { weight: 2, arbitrary: rude },
  { weight: 1, arbitrary: streams },
);
