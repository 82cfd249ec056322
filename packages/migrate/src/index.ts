/** The package of `sigil migrate`, which the command line finds by its name. */
import type { CommandPackage } from '@sigil-mcp/cli/kit';
import { fillMigrate } from './migrate-command';

/** The command. */
export const commands: CommandPackage['commands'] = { migrate: fillMigrate };
