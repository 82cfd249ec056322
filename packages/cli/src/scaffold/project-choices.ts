/** The properties of a new project: options of `sigil new`, answers to its questions and defaults become the choices. */
import { builtinModules } from 'node:module';
import { basename } from 'node:path';
import { wrongUsage } from '../failure';
import type { Shell } from '../terminal/shell';
import { packageManagerOf, type PackageManager } from './installers';

/** The transports of a server. */
export const TRANSPORTS = ['stdio', 'http', 'both'] as const;

/** A transport, or both: as a process, by a URL, or either. */
export type TransportChoice = (typeof TRANSPORTS)[number];

/** The contents of a new project: nothing yet; a tool, a resource and a prompt; or tools over a store that a database can replace. */
export const TEMPLATES = ['empty', 'tools', 'database'] as const;

/** The name of a template. */
export type TemplateChoice = (typeof TEMPLATES)[number];

/** What the questions of `sigil new` ask for. */
interface ProjectAnswers {
  readonly transport: TransportChoice;
  readonly template: TemplateChoice;
  readonly packageManager: PackageManager;
  /** Whether callers over HTTP need a token. */
  readonly tokens: boolean;
  /** Whether its files are ES modules; CommonJS if not. */
  readonly esm: boolean;
  readonly git: boolean;
}

/** The answers to the questions, from options or from the user; all are optional. */
export interface Answers extends Partial<ProjectAnswers> {
  readonly folder?: string;
}

/** The options as commander reads them; options that were not given are undefined. */
export interface NewOptions extends Partial<ProjectAnswers> {
  readonly install: boolean;
  readonly yes?: boolean;
  readonly packages?: string;
}

/** Everything that the templates, the installation and the next steps depend on. */
export interface ProjectChoices extends ProjectAnswers {
  /** The name of the package, which npm accepts. */
  readonly name: string;
  /** The absolute path of the folder. */
  readonly folder: string;
  /** The package manager with its version, such as `pnpm@10.1.0`, if corepack has to start this one. */
  readonly pinned?: string;
  readonly install: boolean;
  /** The absolute path of a folder with the packed packages of Sigil, unless they come from the registry. */
  readonly packages?: string;
}

/** Whether applications start the server themselves. */
export function speaksStdio({ transport }: Pick<ProjectChoices, 'transport'>): boolean {
  return transport !== 'http';
}

/** Whether the server has a URL. */
export function speaksHttp({ transport }: Pick<ProjectChoices, 'transport'>): boolean {
  return transport !== 'stdio';
}

const LONGEST = 214;

/** Names that the package could not use because it depends on these packages. */
const DEPENDENCIES = ['class-transformer', 'class-validator', 'jest', 'reflect-metadata', 'ts-jest', 'typescript'];

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

/** @returns why npm refuses the name, to be read after "because"; undefined if npm accepts it */
export function whyRefused(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (/^[._-]/.test(name)) return `it begins with "${name.charAt(0)}"`;
  if (/[A-Z]/.test(name)) return 'it has capital letters';
  if (/\s/.test(name)) return 'it has spaces';
  const odd = /[^a-z0-9._~-]/.exec(name);
  if (odd) return `it has "${odd[0]}"`;
  if (name.includes('~')) return 'it has "~"';
  if (name.length > LONGEST) return `it is longer than ${LONGEST} characters`;
  if (name === 'node_modules' || name === 'favicon.ico') return 'it is reserved';
  if (builtinModules.includes(name)) return 'it is the name of a Node module';
  return DEPENDENCIES.includes(name) ? 'it is the name of one of its dependencies' : undefined;
}

/** @returns a similar name that npm accepts */
export function proposeName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[._-]+|(?<![._-])[._-]+$/g, '')
    .slice(0, LONGEST);
  if (plain === '') return 'my-server';
  return whyRefused(plain) === undefined ? plain : `${plain}-server`.slice(-LONGEST);
}
