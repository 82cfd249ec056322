/** A handler while it is scanned: a decorated method of a feature, or a function. */
import { type Constructor, nameOfToken } from '../container/provider';
import { classFacts, emittedParameterTypes, membersOf } from '@sigil-mcp/base/facts';
import { AUTHOR_FACTS } from '../decorators/create-fact';
import { groupFacts } from '../context/entry-facts';
import { POLICY } from '../decorators/scopes';
import { INTERCEPTORS, GUARDS } from '../decorators/use-enhancers';
import { nearestNames, type ErrorWords, type ReportProblem, isClass, nameValue } from '@sigil-mcp/base';
import type { Extension } from '../extensions/extension';
import { type Shapes, isStandardSchema, type FormShape, type FormSource } from '@sigil-mcp/schema';
import type { MemberSurroundings, ModuleSurroundings } from './plan-base';
import { policyOf, type PolicyLevel } from './read-policy';
import { wordsFor } from '../errors/catalogue';

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
