/** An AI application: where it keeps its settings, and how a server is written in them. */
import { isObject } from '@sigil-mcp/base';

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

/** A path that begins with `~` (the home folder), `.` (the project), or `{NAME:~/otherwise}` (a variable of the environment). */
export type PlacePath = string;

/** The settings of an application in a scope. */
export interface Place {
  /** Where the file is: everywhere, or on each system; those that are left out do not have the application. */
  readonly path: PlacePath | Readonly<Partial<Record<'darwin' | 'win32' | 'other', PlacePath | readonly PlacePath[]>>>;
  readonly format: SettingsFormat;
  /** The member at the top of the file that holds the servers. */
  readonly container: string;
  /** Whether the servers are a list of objects with a `name`, instead of an object. */
  readonly isList?: boolean;
  /** The members of a new file, besides the servers. */
  readonly header?: Readonly<Record<string, string>>;
  readonly secrets: SecretWay;
}

/** An AI application. */
export interface Application {
  readonly id: string;
  readonly title: string;
  /** The page of its documentation that describes these settings. */
  readonly docs: string;
  readonly places: Readonly<Partial<Record<Scope, Place>>>;
  /** The members of a server over stdio: `$args` is a member of `WrittenProgram`, `?env` one that is left out if it is empty. */
  readonly program: SettingsEntry;
  /** The same of `WrittenAddress`, for a server over HTTP; absent if its settings hold programs only. */
  readonly address?: SettingsEntry;
  /** How a value names a variable of the environment, with `*` for the name, if values can do that. */
  readonly reference?: string;
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

/** The members of a template, with the values of a server. */
export function entryOf(template: SettingsEntry, server: WrittenProgram | WrittenAddress): SettingsEntry {
  const values: SettingsEntry = { ...server };
  const members = Object.entries(template).map(([name, value]) => {
    const [, sign, member] = typeof value === 'string' ? (/^([$?])(\w+)$/.exec(value) ?? []) : [];
    const filled = member !== undefined ? values[member] : isObject(value) ? entryOf(value, server) : value;
    return { name, filled, mayBeEmpty: sign === '$' };
  });
  const own = members.filter(({ filled, mayBeEmpty }) => mayBeEmpty || !isEmpty(filled));
  return Object.fromEntries(own.map(({ name, filled }) => [name, filled]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
