/** The recipes with the official SDK, before the move that docs/how-to/from-official-sdk.md shows. */
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { flour } from './recipes.js';

// #region before
const server = new McpServer({ name: 'recipes', version: '1.0.0' });

server.registerTool(
  'flourFor',
  {
    description: 'How much flour a dish takes',
    inputSchema: z.object({
      dish: z.string().describe('Name of the dish'),
      people: z.number().int().min(1).max(50).default(4),
    }),
    outputSchema: z.object({ grams: z.number() }),
    annotations: { readOnlyHint: true },
  },
  async ({ dish, people }) => {
    const one = flour[dish];
    if (one === undefined) {
      return { isError: true, content: [{ type: 'text', text: `There is no dish ${dish}.` }] };
    }
    const data = { grams: one * people };
    return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data };
  },
);

server.registerResource(
  'A recipe',
  new ResourceTemplate('recipe://{dish}', {
    list: undefined,
    complete: { dish: (typed) => Object.keys(flour).filter((dish) => dish.startsWith(typed)) },
  }),
  { mimeType: 'text/plain' },
  async (uri, { dish }) => ({
    contents: [{ uri: uri.href, text: `${flour[String(dish)]} g of flour, and patience.` }],
  }),
);

await server.connect(new StdioServerTransport());
// #endregion before
