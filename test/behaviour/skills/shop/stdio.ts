/** The shop, as a program. */
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { shop } from './shop';

shop(process.argv[2] ?? '.')
  .listen(new StdioTransport())
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
