/** A server that is put into the settings of an application. */

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
