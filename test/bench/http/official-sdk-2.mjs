/** The official SDK 2 as its documentation mounts it: a factory behind createMcpHandler, on node:http. */
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { reportMemory } from './report-memory.mjs';

const tools = Number(process.argv[2] ?? 3);
const inputSchema = z.object({
  city: z.string().min(2).max(60).describe('City name'),
  days: z.number().int().min(1).max(14).default(3).describe('How many days ahead'),
});
const outputSchema = z.object({ summary: z.string(), highs: z.array(z.number()) });

function define() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  server.registerTool(
    'forecast',
    { description: 'Weather forecast for a city', inputSchema, outputSchema },
    ({ city, days }) => {
      const structuredContent = {
        summary: `mild in ${city}`,
        highs: Array.from({ length: days }, (_, day) => 11 + day),
      };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  for (let tool = 1; tool < tools; tool += 1) {
    server.registerTool(`tool${tool}`, { description: `Forecast ${tool}`, inputSchema }, ({ city }) => ({
      content: [{ type: 'text', text: city }],
    }));
  }
  return server;
}

const server = createServer(toNodeHandler(createMcpHandler(define)));
server.listen(0, '127.0.0.1', () => reportMemory(server.address().port));
