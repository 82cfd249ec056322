/** The commands, in groups, in the order in which `sigil --help` lists them. Each is loaded when it is typed, or when all are listed. */
import { registerOutside, type RegisterCommand } from '../command-packages/command-package';
import type * as AddCommand from './add';
import type * as ApiTypesCommand from './api-types';
import type * as AuditCommand from './audit';
import type * as BuildCommand from './build';
import type * as CallCommand from './call';
import type * as CheckCommand from './check';
import type * as CompletionCommand from './completion';
import type * as ContractCommand from './contract';
import type * as CopyCommand from './copy';
import type * as DevCommand from './dev';
import type * as DocsCommand from './docs';
import type * as DoctorCommand from './doctor';
import type * as InspectCommand from './inspect';
import type * as NewCommand from './new';
import type * as PromptCommand from './prompt';
import type * as ReadCommand from './read';
import type * as ReplayCommand from './replay';
import type * as TokenCommand from './token';

/** Commands that belong together. */
export interface CommandGroup {
  /** In the help. */
  readonly heading: string;
  /** Load what adds each command, by its name. */
  readonly commands: Readonly<Record<string, () => RegisterCommand>>;
}

/* eslint-disable @typescript-eslint/no-require-imports -- an import would load all commands for each of them */
/** Every command. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    heading: 'Create:',
    commands: {
      new: () => (require('./new') as typeof NewCommand).registerNew,
      add: () => (require('./add') as typeof AddCommand).registerAdd,
      migrate: () => registerOutside('migrate'),
    },
  },
  {
    heading: 'Develop:',
    commands: {
      dev: () => (require('./dev') as typeof DevCommand).registerDev,
      build: () => (require('./build') as typeof BuildCommand).registerBuild,
      copy: () => (require('./copy') as typeof CopyCommand).registerCopy,
      doctor: () => (require('./doctor') as typeof DoctorCommand).registerDoctor,
      check: () => (require('./check') as typeof CheckCommand).registerCheck,
      contract: () => (require('./contract') as typeof ContractCommand).registerContract,
      replay: () => (require('./replay') as typeof ReplayCommand).registerReplay,
    },
  },
  {
    heading: 'Hand it on:',
    commands: {
      install: () => registerOutside('install'),
      pack: () => registerOutside('pack'),
      publish: () => registerOutside('publish'),
    },
  },
  {
    heading: 'Use a server:',
    commands: {
      inspect: () => (require('./inspect') as typeof InspectCommand).registerInspect,
      call: () => (require('./call') as typeof CallCommand).registerCall,
      read: () => (require('./read') as typeof ReadCommand).registerRead,
      prompt: () => (require('./prompt') as typeof PromptCommand).registerPrompt,
      types: () => (require('./api-types') as typeof ApiTypesCommand).registerTypes,
      token: () => (require('./token') as typeof TokenCommand).registerToken,
      audit: () => (require('./audit') as typeof AuditCommand).registerAudit,
    },
  },
  {
    heading: 'Help:',
    commands: {
      explain: () => (require('./docs') as typeof DocsCommand).registerExplain,
      docs: () => (require('./docs') as typeof DocsCommand).registerDocs,
      completion: () => (require('./completion') as typeof CompletionCommand).registerCompletion,
    },
  },
];
