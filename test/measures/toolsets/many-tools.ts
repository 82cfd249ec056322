/** A server with many tools, such as those that are written for the operations of a large API. */
import { tool, type ServerOptions } from '@sigil-mcp/core';
import { z } from 'zod';

const VERBS = [
  ['create', 'Creates'],
  ['get', 'Gets'],
  ['list', 'Lists'],
  ['update', 'Updates'],
  ['delete', 'Deletes'],
  ['archive', 'Archives'],
  ['export', 'Exports'],
  ['assign', 'Assigns'],
  ['approve', 'Approves'],
  ['cancel', 'Cancels'],
] as const;

const AREAS = [
  'billing',
  'shipping',
  'hiring',
  'support',
  'sales',
  'payroll',
  'legal',
  'travel',
  'training',
  'security',
];
const THINGS = [
  'invoice',
  'order',
  'contract',
  'ticket',
  'report',
  'request',
  'schedule',
  'budget',
  'account',
  'message',
];

/** 1,000 tools with four arguments each, two of them described. */
export function manyTools(): NonNullable<ServerOptions['features']> {
  return AREAS.flatMap((area) =>
    THINGS.flatMap((thing) =>
      VERBS.map(([verb, does]) =>
        tool(
          `${verb}_${area}_${thing}`,
          {
            description: `${does} a ${thing} of the department ${area}. Use it when the user wants to ${verb} a ${thing}.`,
            input: z.object({
              id: z.string().describe(`Number of the ${thing}`),
              reason: z.string().max(500).optional().describe('Why, for the log of changes'),
              priority: z.enum(['low', 'normal', 'high']).optional(),
              dryRun: z.boolean().optional(),
            }),
            output: z.object({ id: z.string(), status: z.enum(['done', 'waiting']) }),
            readOnly: verb === 'get' || verb === 'list',
          },
          ({ id }) => ({ id, status: 'done' as const }),
        ),
      ),
    ),
  );
}
