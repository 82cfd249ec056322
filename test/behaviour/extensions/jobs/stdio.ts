/** The server with jobs, as a program. */
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { workshop } from './workshop';

workshop()
  .listen(new StdioTransport())
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
