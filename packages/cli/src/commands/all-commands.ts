/** The commands, in groups, in the order in which `sigil --help` lists them. */
import { registerAdd } from './add';
import { registerAudit } from './audit';
import { registerBuild } from './build';
import type { RegisterCommand } from './command';
import { registerCall } from './call';
import { registerCheck } from './check';
import { registerContract } from './contract';
import { registerCompletion } from './completion';
import { registerCopy } from './copy';
import { registerDev } from './dev';
import { registerDocs } from './docs';
import { registerDoctor } from './doctor';
import { registerExplain } from './explain';
import { registerInstall } from './install';
import { registerInspect } from './inspect';
import { registerNew } from './new';
import { registerMigrate } from './migrate';
import { registerPack } from './pack';
import { registerPrompt } from './prompt';
import { registerPublish } from './publish';
import { registerRead } from './read';
import { registerReplay } from './replay';
import { registerToken } from './token';
import { registerTypes } from './api-types';

/** Commands that belong together. */
export interface CommandGroup {
  /** In the help. */
  readonly heading: string;
  readonly commands: readonly RegisterCommand[];
}

/** Every command. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { heading: 'Create:', commands: [registerNew, registerAdd, registerMigrate] },
  {
    heading: 'Develop:',
    commands: [
      registerDev,
      registerBuild,
      registerCopy,
      registerDoctor,
      registerCheck,
      registerContract,
      registerReplay,
    ],
  },
  { heading: 'Hand it on:', commands: [registerInstall, registerPack, registerPublish] },
  {
    heading: 'Use a server:',
    commands: [
      registerInspect,
      registerCall,
      registerRead,
      registerPrompt,
      registerTypes,
      registerToken,
      registerAudit,
    ],
  },
  { heading: 'Help:', commands: [registerExplain, registerDocs, registerCompletion] },
];
