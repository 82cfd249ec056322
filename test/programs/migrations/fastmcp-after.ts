/** The recipes with Sigil, after the move that docs/how-to/from-fastmcp.md shows. */
import '@sigil-mcp/core/stdio/guard';
import { createServer, prompt, resource, tool, ToolFailure } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { z } from 'zod';
import { flour } from './recipes';

// #region after
const flourFor = tool(
  'flourFor',
  {
    description: 'How much flour a dish takes',
    input: z.object({
      dish: z.string().describe('Name of the dish'),
      people: z.number().int().min(1).max(50).default(4),
    }),
    readOnly: true,
  },
  async ({ dish, people }, context) => {
    const grams = flour[dish];
    if (grams === undefined) throw new ToolFailure(`There is no dish ${dish}. Try ${Object.keys(flour).join(' or ')}.`);
    context.log.info('Weighing', { dish });
    await context.progress(1, 1);
    return `${grams * people} g`;
  },
);

const recipe = resource(
  'recipe://{dish}',
  {
    name: 'A recipe',
    mimeType: 'text/plain',
    input: z.object({ dish: z.string() }),
    complete: { dish: (typed) => Object.keys(flour).filter((dish) => dish.startsWith(typed)) },
  },
  ({ dish }) => `${flour[dish]} g of flour, and patience.`,
);

const cook = prompt(
  'cook',
  { description: 'Cook with what there is', input: z.object({ ingredients: z.string() }) },
  ({ ingredients }) => `What can I cook with ${ingredients}?`,
);

const server = createServer({ name: 'recipes', version: '1.0.0', features: [flourFor, recipe, cook] });
void server.listen(new StdioTransport());
// #endregion after
