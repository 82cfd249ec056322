/** The package of `sigil pack` and `sigil publish`, which the command line finds by its name. */
import type { CommandPackage } from '@sigil-mcp/cli/kit';
import { fillPack } from './pack-command';
import { fillPublish } from './publish-command';

/** The commands. */
export const commands: CommandPackage['commands'] = { pack: fillPack, publish: fillPublish };
