/** What a new project is to be: the answers to the questions of `sigil new`. */
import type { PackageManager } from './installers';

/** The ways for clients to reach a server. */
export const TRANSPORTS = ['stdio', 'http', 'both'] as const;

/** One way for clients to reach a server: as a process, by a URL, or either. */
export type TransportChoice = (typeof TRANSPORTS)[number];

/** Everything that a template, the installation and the next steps depend on. */
export interface ProjectChoices {
  /** The name of the package; npm accepts it. */
  readonly name: string;
  /** The folder's absolute path. */
  readonly folder: string;
  readonly transport: TransportChoice;
  readonly packageManager: PackageManager;
  /** Whether callers over HTTP need a token; if not, everybody may call. */
  readonly tokens: boolean;
  /** Whether its files are ES modules; if not, they are CommonJS. */
  readonly esm: boolean;
  readonly git: boolean;
  readonly install: boolean;
  /** Absolute path of a folder with the packed packages of Sigil, if they do not come from the registry. */
  readonly packages?: string;
}

/** Whether an application starts the server itself. */
export function speaksStdio({ transport }: Pick<ProjectChoices, 'transport'>): boolean {
  return transport !== 'http';
}

/** Whether the server has a URL. */
export function speaksHttp({ transport }: Pick<ProjectChoices, 'transport'>): boolean {
  return transport !== 'stdio';
}
