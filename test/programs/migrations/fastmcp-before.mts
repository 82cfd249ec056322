/** The recipes with fastmcp, before the move that docs/how-to/from-fastmcp.md shows. */
import { FastMCP, UserError } from 'fastmcp';
import { z } from 'zod';
import { flour } from './recipes.js';

// #region before
const server = new FastMCP({ name: 'recipes', version: '1.0.0' });

server.addTool({
  name: 'flourFor',
  description: 'How much flour a dish takes',
  parameters: z.object({
    dish: z.string().describe('Name of the dish'),
    people: z.number().int().min(1).max(50).default(4),
  }),
  annotations: { readOnlyHint: true },
  execute: async ({ dish, people }, { log, reportProgress }) => {
    const grams = flour[dish];
    if (grams === undefined) throw new UserError(`There is no dish ${dish}. Try ${Object.keys(flour).join(' or ')}.`);
    log.info('Weighing', { dish });
    await reportProgress({ progress: 1, total: 1 });
    return `${grams * people} g`;
  },
});

server.addResourceTemplate({
  uriTemplate: 'recipe://{dish}',
  name: 'A recipe',
  mimeType: 'text/plain',
  arguments: [
    {
      name: 'dish',
      complete: async (typed) => ({ values: Object.keys(flour).filter((dish) => dish.startsWith(typed)) }),
    },
  ],
  load: async ({ dish }) => ({ text: `${flour[dish]} g of flour, and patience.` }),
});

server.addPrompt({
  name: 'cook',
  description: 'Cook with what there is',
  arguments: [{ name: 'ingredients', required: true }],
  load: async ({ ingredients }) => `What can I cook with ${ingredients}?`,
});

await server.start({ transportType: 'stdio' });
// #endregion before
