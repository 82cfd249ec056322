/** MCP over HTTP, without a framework: requests in, responses out. Adapters for Fastify and fetch stand on it. */
export { createHttpHandler, type HttpHandlerOptions, type ServedHandler } from './served-endpoint';
export type { EndpointLimits, EndpointOptions, SessionOptions, StreamMode } from './options/endpoint-options';
export type { EventSource, EventWriter, HttpHandler, HttpRequest, HttpResponse } from './port';
