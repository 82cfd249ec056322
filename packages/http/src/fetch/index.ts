/** MCP over HTTP for platforms with `Request` and `Response` of the web. */
export { createFetchHandler, type FetchHandler, type FetchHandlerOptions } from './create-fetch-handler';
