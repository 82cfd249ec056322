/** Entries described by data, for tools that are known only at run time. */
import type { PromptOptions } from '../decorators/prompt';
import type { ResourceOptions } from '../decorators/resource';
import type { ToolOptions } from '../decorators/tool';
import type { McpContext } from '../context/mcp-context';
import type { Guard } from '../context/guard';
import type { Interceptor } from '../context/interceptor';
import type { ListResources } from '../registry/listed-resource';

/** What all of them have. */
interface EntryDataBase {
  /** Asked after the guards of the server. */
  readonly guards?: readonly Guard[];
  readonly interceptors?: readonly Interceptor[];
  /**
   * Answers the calls.
   * @param input an instance of the input class, or the arguments that a raw schema accepted; undefined without an input
   */
  // The handler knows the type of its own input class; the registry cannot.
  readonly handler: (input: never, context: McpContext) => unknown;
}

/** A tool. */
export interface ToolData extends EntryDataBase, Omit<ToolOptions, 'name'> {
  readonly kind: 'tool';
  readonly name: string;
  readonly description: string;
}

/** A resource, or with `{variables}` in its URI a resource template. */
export interface ResourceData extends EntryDataBase, Omit<ResourceOptions, 'name'> {
  readonly kind: 'resource';
  readonly uri: string;
  readonly name: string;
  /** Which resources under a template are worth listing, as `@ListTemplate` says it. */
  readonly list?: ListResources;
}

/** A prompt. */
export interface PromptData extends EntryDataBase, Omit<PromptOptions, 'name'> {
  readonly kind: 'prompt';
  readonly name: string;
  readonly description: string;
}

/** One entry, described by data. */
export type EntryData = ToolData | ResourceData | PromptData;
