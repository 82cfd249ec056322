/** Entries described by data, for tools that are known only at run time. */
import type { PromptOptions } from '../decorators/prompt';
import type { ResourceOptions } from '../decorators/resource';
import type { ToolOptions } from '../decorators/tool';
import type { McpContext } from '../context/mcp-context';
import type { Guard } from '../context/guard';
import type { Interceptor } from '../context/interceptor';
import type { ListResources } from '../registry/listed-resource';

/** What the data of every kind of entry has. */
interface EntryDataBase {
  /** Guards that are asked after those of the server; none if left out. */
  readonly guards?: readonly Guard[];
  /** Interceptors around the handler, the first outermost; none if left out. */
  readonly interceptors?: readonly Interceptor[];
  /**
   * Answers the calls; what it may return is what a decorated method may return.
   * @param input an instance of the input class, or the arguments that a raw schema accepted; undefined without an input
   */
  // The handler knows the type of its own input class; the registry cannot.
  readonly handler: (input: never, context: McpContext) => unknown;
}

/** A tool, described by data. */
export interface ToolData extends EntryDataBase, Omit<ToolOptions, 'name'> {
  readonly kind: 'tool';
  /** What clients call it by, 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** What the tool does and when to call it, for the model. */
  readonly description: string;
}

/** A resource or, with `{variables}` in its URI, a resource template, described by data. */
export interface ResourceData extends EntryDataBase, Omit<ResourceOptions, 'name'> {
  readonly kind: 'resource';
  /** An absolute URI, or an RFC 6570 template of one. */
  readonly uri: string;
  /** What clients show it by. */
  readonly name: string;
  /** Which resources under a template are worth listing, as `@ListTemplate` says it; none if left out. */
  readonly list?: ListResources;
}

/** A prompt, described by data. */
export interface PromptData extends EntryDataBase, Omit<PromptOptions, 'name'> {
  readonly kind: 'prompt';
  /** What clients call it by. */
  readonly name: string;
  /** What the prompt does, for the user who picks it. */
  readonly description: string;
}

/** One entry, described by data. */
export type EntryData = ToolData | ResourceData | PromptData;
