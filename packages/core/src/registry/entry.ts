/** What the registry holds: an entry that is ready to be listed and called. */
import type { CacheHints, Resource } from '@sigil-mcp/protocol';
import type { McpContext } from '../context/mcp-context';
import type { CallState } from '../calls/call-state';
import type { Guard } from '../context/guard';
import type { MaybePromise } from '../values/maybe-promise';
import type { MirroredArgument } from '../schema/headers/mirrored-arguments';
import type { EntryFacts, EntryKind } from '../context/entry-facts';
import type { UriTemplate } from './uri-templates/uri-template';

/** Suggests values of one argument. */
export type Completer = (prefix: string, call: CallState) => MaybePromise<unknown>;

/** Lists what is under a template. */
export interface TemplateList {
  /** What the author wrote: another one may list others. */
  readonly origin: unknown;
  /** Throws what the author's function throws, and for what cannot be listed under the template. */
  readonly resources: (context: McpContext) => MaybePromise<readonly Resource[]>;
}

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
  /** Only templates have one. */
  readonly list: TemplateList | undefined;
  /** Only resources and templates have them; of their contents. */
  readonly cache: CacheHints | undefined;
  /** Arguments that HTTP clients mirror into headers; only tools have them. */
  readonly mirrored: readonly MirroredArgument[];
}
