/** The properties of a new project: the answers to the questions of `sigil new`. */
import type { PackageManager } from './installers';

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
