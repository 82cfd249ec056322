/** What the scanner makes of a class: everything about an entry except the instances it will run on. */
import type { CacheHints } from '@sigil-mcp/protocol';
import type { GuardReference } from '../decorators/use-guards';
import type { InterceptorReference } from '../decorators/use-interceptors';
import type { RunningCall } from '../calls/running-call';
import type { MaybePromise } from '@sigil-mcp/base';
import type { FactValues } from '../context/fact-values';
import type { Definitions, EntryKind, EntryPolicy, EntrySource } from '../context/entry-facts';
import type { UriTemplate } from '../registry/uri-templates/uri-template';
import type { FormShape, InputShape } from '@sigil-mcp/schema';
import type { MirroredArgument } from '../headers/mirrored-arguments';
import type { Constructor } from '../container/provider';
import type { EntryData } from './entry-data';
import type { ModuleSurroundings } from './flatten-modules';

/** The source of one parameter of a handler. */
export type ParameterSource = 'input' | 'context' | 'caller' | 'nothing';

/** A method of a feature, or a function. */
export type HandlerPlan =
  { readonly feature: Constructor; readonly member: string } | { readonly run: (...args: unknown[]) => unknown };

/** A method that suggests values for one argument. */
export interface CompleterPlan {
  readonly argument: string;
  readonly handler: HandlerPlan;
  readonly parameters: readonly ('prefix' | 'context' | 'caller')[];
}

/** A method that lists what is under a template. */
export interface ListPlan {
  readonly handler: HandlerPlan;
  /** What it is given, by position. */
  readonly parameters: readonly ('context' | 'caller' | 'page')[];
}

/** One entry to be. */
export interface EntryPlan<K extends EntryKind = EntryKind> {
  readonly kind: K;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** As the entry is listed, in the neutral words. */
  readonly definition: Definitions[K];
  readonly source: EntrySource;
  /** What the module adds that it is of; undefined for an entry of the server itself. */
  readonly module: ModuleSurroundings | undefined;
  /** The values of facts of authors; undefined if it has no facts. */
  readonly facts: FactValues | undefined;
  /** What describes it; left out where decorators do. */
  readonly data?: EntryData;
  readonly handler: HandlerPlan;
  /** What the handler is given, by position. */
  readonly parameters: readonly ParameterSource[];
  /** Undefined for a handler without an input class. */
  readonly input: InputShape | undefined;
  /** The forms that it declares to ask the user; it may ask others as well. */
  readonly asks: readonly FormShape[];
  /** A handler's return value -> the neutral result. */
  readonly shapeOutput: (value: unknown, call: RunningCall) => MaybePromise<unknown>;
  readonly guards: readonly GuardReference[];
  readonly interceptors: readonly InterceptorReference[];
  /** What it wants of its callers; what its guards want is known when they are built. */
  readonly policy: Omit<EntryPolicy, 'roles'>;
  readonly completers: readonly CompleterPlan[];
  /** The compiled URI template; only templates have one. */
  readonly template: UriTemplate | undefined;
  /** What lists the resources under it; only templates have one. */
  readonly list: ListPlan | undefined;
  /** How long its contents may be cached; only resources and templates say so. */
  readonly cache: CacheHints | undefined;
  /** Time limit of a call in milliseconds, undefined for none; only tools have one. */
  readonly timeout: number | undefined;
  /** Calls that run at the same time, undefined for any number; only tools have it. */
  readonly concurrency: number | undefined;
  /** Arguments that clients mirror into headers; only tools have them. */
  readonly mirrored: readonly MirroredArgument[];
}
