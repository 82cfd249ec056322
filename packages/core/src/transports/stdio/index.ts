/** Sigil over stdin and stdout: `@sigil-mcp/core/stdio`. */
export { guardStdout } from './guard-stdout';
export type { RealWrite } from './guard-stdout';
export { StdioTransport } from './stdio-transport';
export type { StdioOptions } from './stdio-transport';
