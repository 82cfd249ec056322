/** An AI application: where it keeps its settings, and how a server is written in them. */
import type { Machine } from './machine';

/** A variable of the environment of a server. */
export interface ServerVariable {
  readonly name: string;
  /** Absent if it is not known here: the application asks for it, or passes it on. */
  readonly value?: string;
  readonly isSecret: boolean;
}

/** A server that the application starts. */
export interface InstalledProgram {
  readonly kind: 'program';
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly variables: readonly ServerVariable[];
}

/** A server that runs elsewhere. */
export interface InstalledAddress {
  readonly kind: 'address';
  readonly name: string;
  readonly url: string;
  /** The variable of the environment that holds the token. */
  readonly tokenVariable?: string;
}

/** A server to install. */
export type InstalledServer = InstalledProgram | InstalledAddress;

/** Settings of one project, or of the user in all folders. */
export type Scope = 'user' | 'project';

/** The language of a file. `json` allows no comments; `jsonc` allows comments and trailing commas. */
export type SettingsFormat = 'json' | 'jsonc' | 'toml' | 'yaml';

/** The members of a server in a file. */
export type SettingsEntry = Readonly<Record<string, unknown>>;

/**
 * How a secret gets to a server:
 * - `value`: it is written in the file;
 * - `reference`: the file names a variable of the environment in which the application was started;
 * - `forward`: the application passes on a variable of that environment;
 * - `input`: the application asks for it, and keeps it in its own store.
 */
export type SecretWay = 'value' | 'reference' | 'forward' | 'input';

/** The settings of an application in a scope. */
export interface Place {
  readonly path: (machine: Machine) => string | undefined;
  /** Further files for the same settings, where an application is on a machine in two forms; none if left out. */
  readonly otherPaths?: (machine: Machine) => readonly string[];
  readonly format: SettingsFormat;
  /** The member at the top of the file that holds the servers. */
  readonly container: string;
  /** Whether the servers are a list of objects with a `name`, instead of an object. */
  readonly isList?: boolean;
  /** The members of a new file, besides the servers. */
  readonly header?: Readonly<Record<string, string>>;
  readonly secrets: SecretWay;
}

/** Every file of the settings on a machine; none where the application does not run. */
export function filesOf({ path, otherPaths }: Place, machine: Machine): readonly string[] {
  const first = path(machine);
  return first === undefined ? [] : [first, ...(otherPaths?.(machine) ?? [])];
}

/** An AI application. */
export interface Application {
  readonly id: string;
  readonly title: string;
  /** The page of its documentation that describes these settings. */
  readonly docs: string;
  readonly places: Readonly<Partial<Record<Scope, Place>>>;
  /** The members of a server over stdio. */
  readonly program: (server: WrittenProgram) => SettingsEntry;
  /** The members of a server over HTTP; absent if its settings hold programs only. */
  readonly address?: (server: WrittenAddress) => SettingsEntry;
  /** How a value names a variable of the environment, if values can do that. */
  readonly reference?: (variable: string) => string;
  /** The name of the folder of the project in its settings. */
  readonly projectFolder?: string;
  /** What the user does after a change. */
  readonly afterwards: string;
}

/** A program with the values of its environment, as a file has them. */
export interface WrittenProgram {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Variables that the application passes on (`forward`). */
  readonly forwarded: readonly string[];
}

/** An address with its headers, as a file has them. */
export interface WrittenAddress {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The variable with the token, for applications that put it in the header themselves. */
  readonly tokenVariable?: string;
}

/** A value that VS Code asks for. @see https://code.visualstudio.com/docs/copilot/reference/mcp-configuration */
export interface AskedInput {
  readonly type: 'promptString';
  readonly id: string;
  readonly description: string;
  readonly password: true;
}

/** A server as it is written in a file. */
export interface WrittenServer {
  readonly entry: SettingsEntry;
  readonly inputs: readonly AskedInput[];
  /** The secret values in the file, which no output shows. */
  readonly secrets: readonly string[];
}

/** The id of the question for a secret of a server. */
export function inputId({ name }: InstalledServer, variable: string): string {
  return `${name}-${variable.toLowerCase().replaceAll('_', '-')}`;
}
