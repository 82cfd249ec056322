/** The server as a function of AWS Lambda: what `docs/platforms.md` shows. */
// #region lambda
import { createLambdaHandler } from '@sigil-mcp/http/lambda';
import { server } from './server';

/** Answers one request. */
export const handler = createLambdaHandler(server, { allowedHosts: process.env['ALLOWED_HOSTS']?.split(',') ?? [] });
// #endregion lambda
