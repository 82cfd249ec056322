/** MCP over HTTP for platforms with `Request` and `Response` of the web. */
export { createFetchHandler } from './create-fetch-handler';
export type { FetchHandler, FetchHandlerOptions } from './create-fetch-handler';
