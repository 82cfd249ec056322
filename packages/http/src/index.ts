/** MCP over HTTP, without a framework: requests in, responses out. Adapters for Fastify and fetch stand on it. */
export { createHttpHandler, type ServedHandler } from './create-http-handler';
export type { EndpointLimits, EndpointOptions, SessionOptions, StreamMode } from './options/endpoint-options';
export type { EventSource, EventWriter, HttpHandler, HttpRequest, HttpResponse } from './port';
export type { HttpHandlerOptions } from './served-endpoint';
