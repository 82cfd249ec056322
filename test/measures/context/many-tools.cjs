/** A server with 1,000 tools, as one that is made of an API: `wordy`, `short` after what sigil check names, or `scopes` with a scope for each area. */
const { createServer, tool } = require('@sigil-mcp/core');

const AREAS = 'orders customers invoices products carts payments refunds shipments returns coupons'.split(' ');
const THINGS = 'record note file label event comment rule report task link'.split(' ');
const VERBS = ['list', 'find', 'create', 'change', 'archive', 'restore', 'delete', 'count', 'compare', 'export'];
const STATES = Array.from({ length: 24 }, (_, index) => `state_of_processing_${index}`);
const way = process.env.MANY_TOOLS ?? 'wordy';

/** Two sentences that each tool repeats, as documents of APIs do. */
const GENERAL =
  'This operation requires an authenticated account with access to the workspace. Results are returned in pages of at most 100 entries, and the cursor of the next page is part of each page.';

function definition(verb, area, thing) {
  const isWordy = way === 'wordy';
  const state = isWordy
    ? {
        type: 'string',
        enum: STATES,
        description: 'The state of processing that an entry has to have to be part of the result',
      }
    : { type: 'string', description: 'A state of the resource shop://states' };
  return {
    name: `${verb}_${area}_${thing}`,
    description: isWordy
      ? `${verb}s a ${thing} of ${area}. ${GENERAL}`
      : `${verb}s the ${thing} with a number that belongs to ${area} of the shop.`,
    ...(way === 'scopes' && { scopes: [area, { listed: false }] }),
    input: {
      type: 'object',
      properties: {
        id: {
          type: 'integer',
          description: isWordy ? 'The unique identifier of the entry in the workspace' : 'Its number',
        },
        state,
      },
    },
    readOnly: ['list', 'find', 'count', 'compare', 'export'].includes(verb),
  };
}

exports.server = createServer({
  name: 'shop',
  version: '1.0.0',
  logger: false,
  features: AREAS.flatMap((area) => THINGS.flatMap((thing) => VERBS.map((verb) => definition(verb, area, thing)))).map(
    ({ name, ...options }) => tool(name, options, () => ''),
  ),
});
