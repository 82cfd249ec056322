/** Serve a Sigil server with Node's own HTTP server, and with frameworks on it: Express, Connect, Nest. */
export { createNodeHandler } from './create-node-handler';
export type { NodeHandler, NodeHandlerOptions } from './create-node-handler';
export type { EndpointLimits } from '../options/endpoint-options';
export type { EndpointOptions, SessionOptions } from '../options/endpoint-options';
export type { HttpHandlerOptions } from '../served-endpoint';
