import '@sigil-mcp/core/stdio/guard';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { server } from './server';

server.listen(new StdioTransport()).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
