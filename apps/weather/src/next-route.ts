/** The server as a route handler of Next.js: what `docs/platforms.md` shows. */
// #region route
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { server } from './server';

const handle = createFetchHandler(server, { path: '/api/mcp', sessions: false });

export { handle as GET, handle as POST, handle as DELETE };
// #endregion route
