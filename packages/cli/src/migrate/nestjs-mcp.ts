/**
 * `@nestjs/mcp` 0.0.1, as far as its public documentation describes it: the package itself was not at hand.
 * @see https://docs.nestjs.com/mcp/overview
 */
import { CORE, NEST } from './packages';
import type { Source } from './source';

/** The table. */
export const NESTJS_MCP: Source = {
  name: 'nestjs-mcp',
  package: '@nestjs/mcp',
  title: '@nestjs/mcp',
  guide: 'fromNestjsMcp',
  remark:
    'This was written after the documentation of @nestjs/mcp 0.0.1, and not tried with the package. Read the whole change before you use it.',
  companions: ['@modelcontextprotocol/server'],
  types: { McpContext: [CORE, 'McpContext'] },
  values: { McpExecutionContext: [NEST, 'McpExecutionContext'] },
  left: {
    McpStdioServer: ['Write `stdio: true` in the options of SigilModule, and take this out.', 'nest'],
    Tool: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
    Resource: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
    ResourceTemplate: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
    Prompt: ['Write the decorator at the method, or add the entry with server.registry.add.', 'registry'],
  },
  entryOptions: [
    ['inputSchema', 'input'],
    ['argsSchema', 'input'],
    ['outputSchema', 'output'],
    ['_meta', 'meta'],
  ],
  context: 'unknown',
  tellsErrors: 'never',
  hasTransports: false,
};
