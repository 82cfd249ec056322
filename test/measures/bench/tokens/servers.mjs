/** The Sigil servers under measurement. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { Roles, createServer, tool } = require('@sigil-mcp/core');

/**
 * A server with tools that everybody sees and, on wish, as many between them that only an admin does: whoever is none gets the same list
 * from both.
 */
export function makeServer({ tools, isFiltered = false }) {
  const features = Array.from({ length: tools }, (_, index) => [
    tool(`tool${index}`, { description: `Says ${index}` }, () => `${index}`),
    ...(isFiltered
      ? [tool(`hidden${index}`, { description: `Hides ${index}`, guards: [Roles('admin')] }, () => 'hidden')]
      : []),
  ]).flat();
  return createServer({ name: 'bench', version: '1.0.0', features, logger: false, pageSize: 5000 });
}
