/** The package of `sigil add openapi`, which the command line finds by its name. */
import type { CommandPackage } from '@sigil-mcp/cli/kit';
import { fillAddOpenApi } from './add-openapi-command';

/** The command. */
export const commands: CommandPackage['commands'] = { 'add openapi': fillAddOpenApi };
