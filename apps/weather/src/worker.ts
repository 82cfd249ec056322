/** The server for platforms that take a module with a function `fetch`: what `docs/platforms.md` shows. */
/* eslint-disable no-restricted-syntax -- the platforms look for a default export */
// #region worker
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { server } from './server';

export default { fetch: createFetchHandler(server, { path: '/mcp', sessions: false }) };
// #endregion worker
