/** What the registry holds: an entry that is ready to be listed and called. */
import type { CacheHints } from '@sigil-mcp/protocol';
import type { McpContext } from '../context/mcp-context';
import type { RunningCall } from '../calls/running-call';
import type { Guard } from '../context/guard';
import type { FormSchema, MaybePromise } from '@sigil-mcp/base';
import type { JsonSchema } from '@sigil-mcp/schema';
import type { MirroredArgument } from '../mirrored-arguments/mirrored-arguments';
import type { PageRequest, ResourcePage } from './listed-resource';
import type { EntryKind, FacedEntry } from '../context/entry-facts';
import type { UriTemplate } from './uri-templates/parse-uri-template';

/** Suggests values of one argument. */
export type Completer = (prefix: string, call: RunningCall) => MaybePromise<unknown>;

/** Lists the resources under a template. */
export interface TemplateList {
  /** The author's function, which identifies a list. */
  readonly origin: unknown;
  /** Whether the author's function receives the requested page. */
  readonly isPaged: boolean;
  /** A page of the resources under the template. Throws the errors of the author's function, and for resources without a match. */
  readonly resources: (context: McpContext, page: PageRequest) => MaybePromise<ResourcePage>;
}

/** One entry, compiled. */
export interface Entry<K extends EntryKind = EntryKind> extends FacedEntry<K> {
  /** All guards that apply: of the server, the class and the method. */
  readonly guards: readonly Guard[];
  /** Whether extensions run something around its calls. */
  readonly hasStages: boolean;
  /** The compiled call. */
  readonly invoke: (call: RunningCall) => MaybePromise<unknown>;
  /** Argument or variable -> completer; empty for tools and resources. */
  readonly completers: ReadonlyMap<string, Completer>;
  /** The compiled URI template; only templates have one. */
  readonly template: UriTemplate | undefined;
  /** What lists the resources under it; only templates have one. */
  readonly list: TemplateList | undefined;
  /** How long its contents may be cached; only resources and templates say so. */
  readonly cache: CacheHints | undefined;
  /** Whether lists leave it out, for all callers: resources and templates may say so, and extensions of any entry. */
  readonly isUnlisted: boolean;
  /** The JSON Schema of its arguments or variables, with what a listed prompt or template leaves out; undefined if it has none. */
  readonly input: JsonSchema | undefined;
  /** The forms that it declares to ask the user; it may ask others as well. */
  readonly asks: readonly FormSchema[];
  /** Arguments that HTTP clients mirror into headers; only tools have them. */
  readonly mirrored: readonly MirroredArgument[];
  /** Old name -> the entry as it is called by that name; only tools that were renamed have them. */
  readonly aliases?: ReadonlyMap<string, Entry<K>>;
}
