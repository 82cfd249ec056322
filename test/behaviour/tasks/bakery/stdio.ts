/** The bakery, as a program. */
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { bakery } from './bakery';

bakery()
  .listen(new StdioTransport())
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
