/** The client's working directories that it shares with servers. */
import type { Meta } from './metadata';

/** A directory or file that the client works in. */
export interface Root {
  /** A `file://` URI. */
  readonly uri: string;
  readonly name?: string;
  readonly _meta?: Meta;
}

/** Result of `roots/list`. */
export interface ListRootsResult {
  readonly roots: readonly Root[];
}
