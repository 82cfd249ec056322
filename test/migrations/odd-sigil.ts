/** A server of Sigil with a tool that fails unexpectedly, and one that breaks its own promise. */
import '@sigil-mcp/core/stdio/guard';
import { createServer, tool } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { z } from 'zod';

const fail = tool('fail', { description: 'Fails' }, () => {
  throw new Error('connect ECONNREFUSED db-7.internal');
});
const lie = tool('lie', { description: 'Lies', output: z.object({ grams: z.number() }) }, () => ({
  grams: 'many' as never,
}));
const server = createServer({ name: 'odd', version: '1.0.0', features: [fail, lie], logger: false });
void server.listen(new StdioTransport());
