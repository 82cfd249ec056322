import '@sigil-mcp/core/stdio/guard';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { filesServer, server } from './server';

const folder = process.argv[2];
const chosen = folder === undefined ? server : filesServer(folder);

chosen.listen(new StdioTransport()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
