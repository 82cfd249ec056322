/** A handler while it is scanned: a decorated method of a feature, or a function. */
import {
  isClass,
  nameValue,
  nearestNames,
  type ErrorWords,
  type MaybePromise,
  type ReportProblem,
} from '@sigil-mcp/base';
import { classFacts, emittedParameterTypes, membersOf } from '@sigil-mcp/base/facts';
import {
  isStandardSchema,
  type FormShape,
  type FormSource,
  type InputShape,
  type OutputShape,
  type Shapes,
} from '@sigil-mcp/schema';
import type { RunningCall } from '../calls/running-call';
import { nameOfToken, type Constructor } from '../container/provider';
import {
  groupFacts,
  type Definitions,
  type EntryKind,
  type EntryPolicy,
  type EntrySource,
  type FactValues,
} from '../context/entry-facts';
import {
  AUTHOR_FACTS,
  GUARDS,
  INTERCEPTORS,
  type GuardReference,
  type InterceptorReference,
} from '../decorators/create-fact';
import { POLICY } from '../decorators/scopes';
import { wordsFor } from '../errors/catalogue';
import type { Extension } from '../extensions/extension';
import type { EntryDataBase } from './data-base';
import { policyOf, type PolicyLevel } from './read-policy';

/** The state that all handlers of a server share while they are scanned. */
export interface Scan {
  readonly report: ReportProblem;
  readonly shapes: Shapes;
  /** Milliseconds, for tools without a time limit of their own; undefined for no limit. */
  readonly toolTimeout: number | undefined;
  /** What the server wants of the callers of all of its entries. */
  readonly policy: PolicyLevel;
  readonly extensions: readonly Extension<object>[];
  /** The positions of the parameters of a method whose values come from elsewhere; undefined if no method has such parameters. */
  readonly supplies?: ((feature: Constructor, member: string) => readonly number[]) | undefined;
  /** What the module adds that the handlers are of; undefined for those of the server itself. */
  readonly module?: ModuleSurroundings | undefined;
}

/** A handler, with all that the scanner has to know of it. */
export interface Member extends MemberSurroundings, Omit<Scan, 'module' | 'policy' | 'extensions' | 'supplies'> {
  readonly name: string;
  /** `WeatherFeature.forecast`. */
  readonly where: string;
  /** What the compiler emitted for its parameters; undefined where it emitted nothing. */
  readonly parameterTypes: readonly unknown[] | undefined;
  /** The positions of the parameters whose values come from elsewhere. */
  readonly supplied: readonly number[];
  /** How many parameters it declares, up to the first that is optional. */
  readonly parameterCount: number;
}

/** What a message suggests in place of the name of a method: a sentence, or nothing if no name is near. */
export function suggestMember(name: string, members: readonly string[]): string {
  const [near] = nearestNames(name, members);
  return near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;
}

/** Reads what decorators and the compiler wrote for a method of a feature. */
export function memberOf(feature: Constructor, name: string, scan: Scan): Member {
  return membersOfFeature(feature, scan)(name);
}

/** The same for all methods of a feature: the decorators of the class are read once. */
export function membersOfFeature(feature: Constructor, scan: Scan): (name: string) => Member {
  const { report, shapes, toolTimeout, module, supplies } = scan;
  const written = membersOf(feature);
  const [guards, interceptors, policies] = [written.of(GUARDS), written.of(INTERCEPTORS), written.of(POLICY)];
  const [values, outerValues] = [written.of(AUTHOR_FACTS), classFacts(AUTHOR_FACTS, feature)];
  const outerGuards = [...(module?.guards ?? []), ...classFacts(GUARDS, feature).flat()];
  const outerInterceptors = [...(module?.interceptors ?? []), ...classFacts(INTERCEPTORS, feature).flat()];
  const outerPolicies = [...levelsAround(scan), classFacts(POLICY, feature)];
  const outerPolicy = policyOf(outerPolicies);
  const methods = feature.prototype as Readonly<Record<string, unknown>>;
  return (name) => {
    const method = methods[name];
    const policy = policies?.get(name);
    return {
      name,
      where: `${feature.name}.${name}`,
      report,
      shapes,
      toolTimeout,
      module,
      parameterTypes: emittedParameterTypes(feature, name),
      supplied: supplies?.(feature, name) ?? [],
      parameterCount: typeof method === 'function' ? method.length : 0,
      source: { feature, member: name, module: module?.label },
      handler: { feature, member: name },
      guards: within(outerGuards, guards?.get(name)),
      interceptors: within(outerInterceptors, interceptors?.get(name)),
      policy: policy ? policyOf([...outerPolicies, policy]) : outerPolicy,
      facts: groupFacts([...outerValues, ...(values?.get(name) ?? [])]),
    };
  };
}

/** Decorators of a method come after those of its class; most methods have none. */
function within<T>(outer: readonly T[], own: readonly (readonly T[])[] | undefined): readonly T[] {
  return own ? [...outer, ...own.flat()] : outer;
}

/** What server and modules want of callers, the outermost first. */
export function levelsAround({ policy, module }: Pick<Scan, 'policy' | 'module'>): readonly PolicyLevel[] {
  return [policy, ...(module?.policies ?? [])];
}

/** Reports a problem of this handler. */
export function reportMember(member: Member, problem: ErrorWords): void {
  member.report({ ...problem, where: member.where });
}

/** The part of a handler that its plan keeps. */
export function surroundingsOf({
  source,
  handler,
  guards,
  interceptors,
  module,
  policy,
  facts,
}: Member): MemberSurroundings {
  return { source, handler, guards, interceptors, module, policy, facts };
}

/** The name of a tool or prompt as clients see it. @param own as its decorator, or its method, has it */
export function listedName({ module }: Pick<MemberSurroundings, 'module'>, own: string): string {
  return module ? module.prefix + own : own;
}

/** Their shapes, which are stored for when they are asked; undefined if one is not a form, which has been reported. */
export function compileForms(member: Member, asks: readonly FormSource[] = []): readonly FormShape[] | undefined {
  // What a decorator was given in JavaScript, or before a circular import was loaded, is anything.
  const given: unknown = asks;
  if (Array.isArray(given)) {
    const shapes = [...(given as unknown[])].map((form) => compileForm(member, form));
    return shapes.every((shape) => shape !== undefined) ? shapes : undefined;
  }
  reportMember(member, wordsFor('SIGIL_ASKS', { problem: `is ${nameValue(given)}, which is not an array` }));
  return undefined;
}

function compileForm(member: Member, form: unknown): FormShape | undefined {
  const { shapes, where, report } = member;
  if (isStandardSchema(form)) return shapes.form(form, { where: `${where} asks`, report });
  if (isClass(form)) return shapes.form(form, { where: `${where} asks(${nameOfToken(form)})`, report });
  reportMember(
    member,
    wordsFor('SIGIL_ASKS', { problem: `holds ${nameValue(form)}, which is neither a class nor a schema` }),
  );
  return undefined;
}

// What the scanner makes of any handler: everything about an entry except the instances it will run on.

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
interface MemberSurroundings {
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
