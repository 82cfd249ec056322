/** Entries described by data: for tools that are known only at run time, and for authors who prefer functions to classes. */
import type { PromptOptions } from '../decorators/prompt';
import type { ResourceOptions } from '../decorators/resource';
import type { ToolOptions } from '../decorators/tool';
import type { McpContext } from '../context/mcp-context';
import type { Constructor } from '../container/provider';
import type { GuardReference } from '../decorators/use-guards';
import type { InterceptorReference } from '../decorators/use-interceptors';
import type { FactValue } from '../context/fact-values';
import type { ListResources } from '../registry/listed-resource';
import { isObject, type MaybePromise } from '@sigil-mcp/base';
import type { PolicyOptions } from './read-policy';

/**
 * Suggests values for an argument, as a method with `@Complete` does.
 * @param prefix the typed text
 * @param context with the arguments that were filled in before: `context.completion?.arguments`
 * @returns values, best first; at most 100 are sent
 */
export type CompleteArgument = (prefix: string, context: McpContext) => MaybePromise<readonly string[]>;

/** Argument -> the function that completes it. */
export type Completions = Readonly<Record<string, CompleteArgument>>;

/** The members that the data of every kind of entry has. */
interface EntryDataBase extends PolicyOptions {
  /** Guards that are called after those of the server; none if left out. A guard class is built at start. */
  readonly guards?: readonly GuardReference[];
  /** Interceptors around the handler, the first outermost; none if left out. An interceptor class is built at start. */
  readonly interceptors?: readonly InterceptorReference[];
  /** Values of facts made with `createFact`; none if left out. @example facts: [Team.with('billing')] */
  readonly facts?: readonly FactValue[];
  /**
   * Answers the calls; it may return the same values as a decorated method.
   * @param input an instance of the input class, or the arguments that a raw schema accepted; undefined without an input
   */
  // The handler knows the type of its own input class; the registry cannot.
  readonly handler: (input: never, context: McpContext) => unknown;
}

/** A tool, described by data. */
export interface ToolData extends EntryDataBase, Omit<ToolOptions, 'name'> {
  readonly kind: 'tool';
  /** Its name for clients, 1 to 128 of `A-Z a-z 0-9 _ - .`. */
  readonly name: string;
  /** The purpose of the tool and when to call it, for the model. */
  readonly description: string;
}

/** A resource or, with `{variables}` in its URI, a resource template, described by data. */
export interface ResourceData extends EntryDataBase, Omit<ResourceOptions, 'name'> {
  readonly kind: 'resource';
  /** An absolute URI, or an RFC 6570 template of one. */
  readonly uri: string;
  /** The name that clients show. */
  readonly name: string;
  /** Lists resources under a template, like `@ListTemplate`; none if left out. */
  readonly list?: ListResources;
  /** Completes the variables of a template, by their names; a variable with an enum or a boolean type is completed automatically. */
  readonly complete?: Completions;
}

/** A prompt, described by data. */
export interface PromptData extends EntryDataBase, Omit<PromptOptions, 'name'> {
  readonly kind: 'prompt';
  /** Its name for clients. */
  readonly name: string;
  /** The purpose of the prompt, for the user who picks it. */
  readonly description: string;
  /** Completes its arguments, by their names; an argument with an enum or a boolean type is completed automatically. */
  readonly complete?: Completions;
}

/** One entry, described by data. */
export type EntryData = ToolData | ResourceData | PromptData;

/** An element of a server's `features`: a class with `@Feature`, or one entry that is described by data. */
export type FeatureSource = Constructor | EntryData;

/** Whether a value names the kind of entry that it describes; its other members are checked when it is planned. */
export function isEntryData(value: unknown): value is EntryData {
  return isObject(value) && (value['kind'] === 'tool' || value['kind'] === 'resource' || value['kind'] === 'prompt');
}
