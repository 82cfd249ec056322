/** What the registry holds: an entry that is ready to be listed and called. */
import type { CacheHints } from '@sigil-mcp/protocol';
import type { CallState } from '../pipeline/call-state';
import type { Guard } from '../pipeline/guard';
import type { MaybePromise } from '../pipeline/maybe-promise';
import type { MirroredArgument } from '../schema/mirrored-arguments';
import type { EntryFacts, EntryKind } from './entry-facts';
import type { UriTemplate } from './uri-template';

/** Suggests values of one argument. */
export type Completer = (prefix: string, call: CallState) => MaybePromise<unknown>;

/** One entry, compiled. */
export interface Entry<K extends EntryKind = EntryKind> extends EntryFacts<K> {
  /** All guards that apply: of the server, the class and the method. */
  readonly guards: readonly Guard[];
  /** The compiled call. */
  readonly invoke: (call: CallState) => MaybePromise<unknown>;
  /** Argument or variable -> completer; empty for tools and resources. */
  readonly completers: ReadonlyMap<string, Completer>;
  /** Only templates have one. */
  readonly template: UriTemplate | undefined;
  /** Only resources and templates have them; of their contents. */
  readonly cache: CacheHints | undefined;
  /** Arguments that HTTP clients mirror into headers; only tools have them. */
  readonly mirrored: readonly MirroredArgument[];
}
