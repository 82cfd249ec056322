// #region stdio
import '@sigil-mcp/core/stdio/guard'; // the first line: keeps console.log off stdout
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { server } from './server';

void server.listen(new StdioTransport());
// #endregion stdio
