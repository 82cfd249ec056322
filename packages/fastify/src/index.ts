/** Serve a Sigil server over Streamable HTTP: inside a Fastify app, or as a separate server. */
export type { EndpointLimits } from './options/endpoint-limits';
export type { EndpointOptions, SessionOptions } from './options/endpoint-options';
export { HttpTransport } from './http-transport';
export type { HttpTransportOptions } from './options/http-transport-options';
export { mcpPlugin } from './mcp-plugin';
export type { FastifyApp, McpPluginOptions } from './mcp-plugin';
