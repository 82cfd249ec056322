/** A server of the official SDK with a tool that fails unexpectedly, and one that breaks its own promise. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { IsString } from 'class-validator';

class Dish {
  @IsString() dish!: string;
}

serveStdio(() => {
  const server = new McpServer({ name: 'odd', version: '1.0.0' });
  server.registerTool('fail', { description: 'Fails' }, async () => {
    throw new Error('connect ECONNREFUSED db-7.internal');
  });
  const outputSchema = z.object({ grams: z.number() });
  server.registerTool('lie', { description: 'Lies', outputSchema }, async () => ({
    content: [],
    structuredContent: { grams: 'many' as never },
  }));
  if (process.argv.includes('with-class')) {
    server.registerTool('weigh', { inputSchema: Dish as unknown as z.ZodObject }, async () => ({ content: [] }));
  }
  return server;
});
