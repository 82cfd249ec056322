/** The commands, in the order in which `sigil --help` lists them. */
import { registerAdd } from './add';
import { registerBuild } from './build';
import type { RegisterCommand } from './command';
import { registerCall } from './call';
import { registerDev } from './dev';
import { registerDocs } from './docs';
import { registerDoctor } from './doctor';
import { registerExplain } from './explain';
import { registerInspect } from './inspect';
import { registerNew } from './new';
import { registerPrompt } from './prompt';
import { registerRead } from './read';
import { registerToken } from './token';

/** Every command. */
export const ALL_COMMANDS: readonly RegisterCommand[] = [
  registerNew,
  registerAdd,
  registerDev,
  registerBuild,
  registerDoctor,
  registerInspect,
  registerCall,
  registerRead,
  registerPrompt,
  registerToken,
  registerExplain,
  registerDocs,
];
