/** Sigil over stdin and stdout: `@sigil-mcp/core/stdio`. */
export { guardStdout, type RealWrite } from './guard-stdout';
export { StdioTransport, type StdioOptions } from './stdio-transport';
