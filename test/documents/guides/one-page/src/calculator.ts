// #region functions
import { createServer, tool } from '@sigil-mcp/core';
import { z } from 'zod';

const add = tool(
  'add',
  { description: 'Adds two numbers', input: z.object({ a: z.number(), b: z.number() }), readOnly: true },
  ({ a, b }) => a + b,
);

export const calculator = createServer({ name: 'calculator', version: '1.0.0', features: [add] });
// #endregion functions
