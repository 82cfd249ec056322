/** The keys that the protocol itself uses in `_meta`. @see https://modelcontextprotocol.io/specification/2026-07-28/basic */

/** Reserved `_meta` keys by what they carry. */
export const META_KEYS = {
  /** Request: which revision it speaks. */
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  /** Request: what the client can do. */
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  /** Request: who the client says it is. */
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  /** Request: from which level on log messages are wanted. */
  logLevel: 'io.modelcontextprotocol/logLevel',
  /** Result: which server answered. */
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  /** Notification and result: the id of the `subscriptions/listen` request it belongs to. */
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const;
