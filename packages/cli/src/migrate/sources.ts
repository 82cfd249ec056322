/** The packages that projects are moved from. */
import { MCP_NEST } from './mcp-nest';
import { NESTJS_MCP } from './nestjs-mcp';
import type { Source } from './source';

/** All of them, in the order of the help. */
export const SOURCES: readonly Source[] = [MCP_NEST, NESTJS_MCP];
