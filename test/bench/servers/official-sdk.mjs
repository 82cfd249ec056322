/** The same tool with the official SDK 1 and zod. */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'bench', version: '1.0.0' });
server.registerTool(
  'forecast',
  {
    description: 'Weather forecast for a city',
    inputSchema: { city: z.string().min(2).max(60), days: z.number().int().min(1).max(14).default(3) },
    outputSchema: { summary: z.string(), highs: z.array(z.number()) },
  },
  ({ city, days }) => {
    const structuredContent = { summary: `mild in ${city}`, highs: Array.from({ length: days }, (_, day) => 11 + day) };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  },
);
await server.connect(new StdioServerTransport());
