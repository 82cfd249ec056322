/** The package of `sigil install`, which the command line finds by its name. */
import type { CommandPackage } from '@sigil-mcp/cli/kit';
import { fillInstall } from './install-command';

/** The command. */
export const commands: CommandPackage['commands'] = { install: fillInstall };
