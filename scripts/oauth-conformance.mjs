/** `npm run conformance:oauth`: runs the OAuth conformance suite of `@mcpjam/sdk` against a server with tokens. */
import { judgeWithMcpjam } from './judge-with-mcpjam.mjs';

await judgeWithMcpjam('oauth-conformance');
