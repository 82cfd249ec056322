/** `npm run conformance:apps`: runs the MCP Apps conformance suite of `@mcpjam/sdk` against a server with views. */
import { judgeWithMcpjam } from './judge-with-mcpjam.mjs';

await judgeWithMcpjam('apps-conformance');
