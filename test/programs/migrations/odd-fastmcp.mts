/** A server of fastmcp with a tool that fails unexpectedly, and one that breaks its own promise. */
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { IsString } from 'class-validator';

class Dish {
  @IsString() dish!: string;
}

const server = new FastMCP({ name: 'odd', version: '1.0.0' });
server.addTool({
  name: 'fail',
  description: 'Fails',
  execute: async () => {
    throw new Error('connect ECONNREFUSED db-7.internal');
  },
});
server.addTool({
  name: 'lie',
  description: 'Lies',
  outputSchema: z.object({ grams: z.number() }),
  execute: async () => ({ content: [], structuredContent: { grams: 'many' } }),
});
if (process.argv.includes('with-class')) {
  server.addTool({ name: 'weigh', parameters: Dish as never, execute: async () => '' });
}
await server.start({ transportType: 'stdio' });
