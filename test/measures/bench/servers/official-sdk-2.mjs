/** The tools with the official SDK 2 and zod. */
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { toolset } from './toolset.mjs';

const SCHEMAS = new Map([
  ['add', { inputSchema: z.object({ a: z.number(), b: z.number() }), outputSchema: z.object({ sum: z.number() }) }],
  ['echo', { inputSchema: z.object({ text: z.string().max(65_536) }) }],
]);

const lookup = () => ({
  inputSchema: z.object({
    query: z.string().describe('What to look for'),
    limit: z.number().int().min(1).max(100).optional(),
    recursive: z.boolean().optional(),
    mode: z.enum(['fast', 'exact', 'fuzzy']),
  }),
});

/** @returns what makes a server; the schemas are made once */
export function officialServers(count) {
  const tools = toolset(count).map(({ name, description, run }) => ({
    name,
    config: { description, ...(SCHEMAS.get(name) ?? lookup()) },
    run,
  }));
  return () => {
    const server = new McpServer({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
    for (const { name, config, run } of tools) server.registerTool(name, config, run);
    return server;
  };
}
