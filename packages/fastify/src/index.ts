/** Serve a Sigil server over Streamable HTTP: inside a Fastify app, or as a separate server. */
export type { EndpointLimits, EndpointOptions, SessionOptions } from '@sigil-mcp/http';
export { HttpTransport } from './http-transport';
export type { ConnectionLimits } from './options/connection-limits';
export type { HttpTransportOptions } from './options/http-transport-options';
export { mcpPlugin, type FastifyApp, type McpPluginOptions } from './mcp-plugin';
