/** The options of `sigil new`; options, answers and defaults become the choices. */
import { basename } from 'node:path';
import { wrongUsage } from '../failure';
import { packageManagerOf, type PackageManager } from './installers';
import type { ProjectChoices, TemplateChoice, TransportChoice } from './project-choices';
import { proposeName, whyRefused } from './project-name';
import type { Shell } from '../terminal/shell';

/** The options as commander reads them; options that were not given are undefined. */
export interface NewOptions {
  readonly transport?: TransportChoice;
  readonly template?: TemplateChoice;
  readonly packageManager?: PackageManager;
  readonly tokens?: boolean;
  readonly esm?: boolean;
  readonly git?: boolean;
  readonly install: boolean;
  readonly yes?: boolean;
  readonly packages?: string;
}

/** The answers to the questions; all are optional. */
export interface Answers {
  readonly folder?: string;
  readonly transport?: TransportChoice;
  readonly template?: TemplateChoice;
  readonly packageManager?: PackageManager;
  readonly tokens?: boolean;
  readonly esm?: boolean;
  readonly git?: boolean;
}

/** The default folder. */
export const DEFAULT_FOLDER = 'my-server';

/**
 * @param answers from options and questions
 * @param options that have no question
 * @throws CliFailure if npm would refuse the name
 */
export function choicesOf(answers: Answers, options: NewOptions, shell: Shell): ProjectChoices {
  const folder = shell.path(answers.folder ?? DEFAULT_FOLDER);
  const name = basename(folder);
  const reason = whyRefused(name);
  if (reason !== undefined) throw wrongUsage('SIGIL_NEW_NAME', { name, reason, proposal: proposeName(name) });
  const { transport = 'stdio', tokens = false } = answers;
  if (tokens && transport === 'stdio') throw wrongUsage('SIGIL_NEW_TOKENS');
  return {
    name,
    folder,
    transport,
    template: answers.template ?? 'tools',
    tokens,
    packageManager: answers.packageManager ?? packageManagerOf(shell.env['npm_config_user_agent']),
    esm: answers.esm ?? false,
    git: answers.git ?? true,
    install: options.install,
    ...(options.packages !== undefined && { packages: shell.path(options.packages) }),
  };
}
