/** The server as a function of AWS Lambda that streams its responses: what `docs/platforms.md` shows. */
// #region lambda
import { createStreamingLambdaHandler } from '@sigil-mcp/http/lambda';
import { server } from './server';

export const handler = createStreamingLambdaHandler(server, { sessions: false });
// #endregion lambda
