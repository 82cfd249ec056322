/** What the scanner makes of any handler: everything about an entry except the instances it will run on. */
import type { InterceptorReference, GuardReference } from '../decorators/use-enhancers';
import type { RunningCall } from '../calls/running-call';
import type { MaybePromise } from '@sigil-mcp/base';
import type { Definitions, EntryKind, EntryPolicy, EntrySource, FactValues } from '../context/entry-facts';
import type { FormShape, InputShape, OutputShape } from '@sigil-mcp/schema';
import type { Constructor } from '../container/provider';
import type { EntryDataBase } from './data-base';
import type { PolicyLevel } from './read-policy';

/** The settings that a module adds to each of its entries. */
export interface ModuleSurroundings {
  /** The name of the module in messages: `module books`. */
  readonly label: string;
  /** The prefix of names, underscores included; empty for none. */
  readonly prefix: string;
  readonly guards: readonly GuardReference[];
  readonly interceptors: readonly InterceptorReference[];
  /** Its requirements for callers, and those of the modules around it; the outermost first. */
  readonly policies: readonly PolicyLevel[];
}

/** The source of one parameter of a handler. */
export type ParameterSource = 'input' | 'context' | 'caller' | 'nothing';

/** A method of a feature, or a function. */
export type HandlerPlan =
  { readonly feature: Constructor; readonly member: string } | { readonly run: (...args: unknown[]) => unknown };

/** A method that suggests values for one argument. */
export interface CompleterPlan {
  readonly argument: string;
  readonly handler: HandlerPlan;
  readonly parameters: readonly ('prefix' | 'context' | 'caller' | 'nothing')[];
}

/** A method that lists what is under a template. */
export interface ListPlan {
  readonly handler: HandlerPlan;
  /** What it is given, by position. */
  readonly parameters: readonly ('context' | 'caller' | 'page')[];
}

/** The functions that belong to an entry besides its handler. */
export interface Companions {
  readonly completers: readonly CompleterPlan[];
  readonly list: ListPlan | undefined;
}

/** The part of a plan that is known of a handler before its kind is. */
export interface MemberSurroundings {
  readonly source: EntrySource;
  /** What the module adds that it is of; undefined for an entry of the server itself. */
  readonly module: ModuleSurroundings | undefined;
  /** The values of facts of authors; undefined if it has no facts. */
  readonly facts: FactValues | undefined;
  readonly handler: HandlerPlan;
  readonly guards: readonly GuardReference[];
  readonly interceptors: readonly InterceptorReference[];
  /** What it wants of its callers; what its guards want is known when they are built. */
  readonly policy: Omit<EntryPolicy, 'roles'>;
}

/** An old name of a tool. */
export interface ToolAlias {
  /** As clients call it. */
  readonly name: string;
  /** Makes the arguments of today out of the old ones; undefined if they are the same. */
  readonly convert: ((old: object) => unknown) | undefined;
}

/** What an author says about the versions of a tool; only what is said. */
export interface ToolVersions {
  readonly since?: string;
  readonly deprecated?: string;
  /** Its old names, in the order of its author. */
  readonly aliases: readonly ToolAlias[];
}

/** The part of a plan that all kinds of entries have. */
export interface PlanBase<K extends EntryKind, D extends EntryDataBase> extends MemberSurroundings {
  readonly kind: K;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** As the entry is listed, in the neutral words. */
  readonly definition: Definitions[K];
  /** What describes it; left out where decorators do. */
  readonly data?: D;
  /** What the handler is given, by position. */
  readonly parameters: readonly ParameterSource[];
  /** Undefined for a handler without an input class. */
  readonly input: InputShape | undefined;
  /** Undefined for a handler without an output class; only tools have one. */
  readonly output?: OutputShape | undefined;
  /** What its author says about its versions; left out, or undefined, if nothing. Only tools have them. */
  readonly versions?: ToolVersions | undefined;
  /** The forms that it declares to ask the user; it may ask others as well. */
  readonly asks: readonly FormShape[];
  /** Whether lists leave it out, for all callers; false if left out. */
  readonly isUnlisted?: boolean;
  /** A handler's return value -> the neutral result. */
  readonly shapeOutput: (value: unknown, call: RunningCall) => MaybePromise<unknown>;
}
