/** Serve a Sigil server with Node's own HTTP server, and with frameworks on it: Express, Connect, Nest. */
export { createNodeHandler, type NodeHandler, type NodeHandlerOptions } from './create-node-handler';
export type { EndpointLimits, EndpointOptions, SessionOptions } from '../options/endpoint-options';
export type { HttpHandlerOptions } from '../served-endpoint';
