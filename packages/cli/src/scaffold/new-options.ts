/** The flags of `sigil new`, and from them, answers and defaults to the choices. */
import { basename, resolve } from 'node:path';
import { failure, wrongUsage } from '../failure';
import { packageManagerOf, type PackageManager } from './installers';
import type { ProjectChoices, TransportChoice } from './project-choices';
import { proposeName, whyRefused } from './project-name';

/** The flags as commander reads them; what was not said is undefined. */
export interface NewOptions {
  readonly transport?: TransportChoice;
  readonly packageManager?: PackageManager;
  readonly tokens?: boolean;
  readonly esm?: boolean;
  readonly git?: boolean;
  readonly install: boolean;
  readonly yes?: boolean;
  readonly packages?: string;
}

/** The answers to the questions; none of them has to be given. */
export interface Answers {
  readonly folder?: string;
  readonly transport?: TransportChoice;
  readonly packageManager?: PackageManager;
  readonly tokens?: boolean;
  readonly esm?: boolean;
  readonly git?: boolean;
}

/** The folder, if nobody names one. */
export const DEFAULT_FOLDER = 'my-server';

/**
 * @param answers what flags and questions said
 * @param options for what nobody is asked
 * @param env of the process
 * @throws CliFailure if npm would refuse the name
 */
export function choicesOf(answers: Answers, options: NewOptions, env: NodeJS.ProcessEnv): ProjectChoices {
  const folder = resolve(answers.folder ?? DEFAULT_FOLDER);
  const name = basename(folder);
  const reason = whyRefused(name);
  if (reason !== undefined) throw failure('SIGIL_NEW_NAME', { name, reason, proposal: proposeName(name) });
  const { transport = 'stdio', tokens = false } = answers;
  if (tokens && transport === 'stdio') throw wrongUsage('SIGIL_NEW_TOKENS');
  return {
    name,
    folder,
    transport,
    tokens,
    packageManager: answers.packageManager ?? packageManagerOf(env['npm_config_user_agent']),
    esm: answers.esm ?? false,
    git: answers.git ?? true,
    install: options.install,
    ...(options.packages !== undefined && { packages: resolve(options.packages) }),
  };
}
