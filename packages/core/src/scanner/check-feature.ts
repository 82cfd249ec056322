/** Whether an element of `features` is a class whose methods can be entries. */
import type { Constructor } from '../container/provider';
import { COMPLETE } from '../decorators/argument-decorators';
import { AUTHOR_FACTS, GUARDS, INTERCEPTORS } from '../decorators/create-fact';
import { FEATURE } from '../decorators/injectable';
import { LIST_TEMPLATE } from '../decorators/resource';
import { POLICY } from '../decorators/scopes';
import { problem } from '../errors/catalogue';
import { isClass, nameValue, type ReportProblem } from '@sigil-mcp/base';
import {
  addClassFact,
  classFacts,
  membersOf,
  staticsOf,
  type FactKind,
  type MembersOfClass,
} from '@sigil-mcp/base/facts';
import { checkReferences } from './check-members';
import { ALL_KINDS, ENTRY_FACTS, isEntryData, type FeatureSource } from '../kinds/all-kinds';
import { checkLevel } from '../members/read-policy';

const ENTRY_DECORATORS: Readonly<Record<string, FactKind<unknown>>> = {
  ...Object.fromEntries(ALL_KINDS.map(({ decorator, facts }) => [decorator, facts])),
  '@Complete': COMPLETE,
  '@ListTemplate': LIST_TEMPLATE,
};

const METHOD_DECORATORS: Readonly<Record<string, FactKind<unknown>>> = {
  ...ENTRY_DECORATORS,
  '@UseGuards': GUARDS,
  '@UseInterceptors': INTERCEPTORS,
  '@Scopes or @Public': POLICY,
  'a fact': AUTHOR_FACTS,
};

/**
 * The features of a server or a module: classes, or entries described by data. Reports all else: JavaScript, or a cast, may put
 * anything there.
 * @param features what its definition was given
 * @param owner what messages call the definition
 */
export function featureSources(
  features: unknown,
  report: ReportProblem,
  owner = 'createServer({ features })',
): readonly FeatureSource[] {
  if (!Array.isArray(features)) {
    report(problem('SIGIL_FEATURES', owner, { value: nameValue(features) }));
    return [];
  }
  return [...(features as unknown[])].filter((feature, index): feature is FeatureSource => {
    if (isClass(feature) || isEntryData(feature)) return true;
    report(problem('SIGIL_FEATURE_NOT_A_CLASS', `${owner}[${index}]`, { value: nameValue(feature) }));
    return false;
  });
}

/** Whether the methods of a class can be scanned; reports why not, and what would be without effect. */
export function checkFeature(feature: Constructor, report: ReportProblem): boolean {
  const isFeature = classFacts(FEATURE, feature).length > 0;
  const members = membersOf(feature);
  const isEmpty = !hasEntries(members) && !standsAlone(feature, members);
  const hasStatic = reportStatic(feature, report);
  // Without entries it is most likely a dependency of features.
  if (!isFeature) report(problem(isEmpty && !hasStatic ? 'SIGIL_NO_FEATURE' : 'SIGIL_NOT_A_FEATURE', feature.name));
  if (hasStatic) return false;
  if (isEmpty && isFeature) report(problem('SIGIL_FEATURE_EMPTY', feature.name));
  return [
    checkPolicies(feature, members, report),
    checkFactTargets(feature, members, report),
    checkUsed(feature, members, report),
    !isEmpty,
  ].every(Boolean);
}

/** Whether a class has `@Feature`, or methods that are entries. */
export function isFeatureClass(candidate: Constructor): boolean {
  return classFacts(FEATURE, candidate).length > 0 || hasEntries(membersOf(candidate));
}

/** Makes a class a feature that has entries and no `@Feature`, for frameworks in which any class may have entries. */
export function ensureFeature(candidate: Constructor): void {
  if (classFacts(FEATURE, candidate).length === 0) addClassFact(FEATURE, candidate, { feature: true });
}

function hasEntries(members: MembersOfClass): boolean {
  return Object.values(ENTRY_DECORATORS).some((kind) => members.of(kind)?.size);
}

/** Whether the guards and interceptors of the class and its methods can be used. */
function checkUsed(feature: Constructor, members: MembersOfClass, report: ReportProblem): boolean {
  const own = { guards: classFacts(GUARDS, feature).flat(), interceptors: classFacts(INTERCEPTORS, feature).flat() };
  const guards = [...(members.of(GUARDS) ?? [])].map(([member, facts]) => ({ member, guards: facts.flat() }));
  const around = [...(members.of(INTERCEPTORS) ?? [])].map(([member, facts]) => ({
    member,
    interceptors: facts.flat(),
  }));
  return [
    checkReferences(own, () => feature.name, report),
    ...[...guards, ...around].map(({ member, ...used }) =>
      checkReferences(used, () => `${feature.name}.${member}`, report),
    ),
  ].every(Boolean);
}

/** Whether what class and methods want of their callers can be kept, and is wanted for entries: elsewhere it would protect nothing. */
function checkPolicies(feature: Constructor, members: MembersOfClass, report: ReportProblem): boolean {
  const entries = [...ENTRY_FACTS].map((kind: FactKind<unknown>) => members.of(kind));
  const verdicts = [...(members.of(POLICY) ?? [])].map(([member, facts]) => {
    const where = `${feature.name}.${member}`;
    if (entries.some((known) => known?.has(member))) return checkLevel(facts, where, report);
    report(problem('SIGIL_POLICY_TARGET', where));
    return false;
  });
  return [checkLevel(classFacts(POLICY, feature), feature.name, report), ...verdicts].every(Boolean);
}

/** Whether the facts of authors are on methods that are entries: elsewhere nothing reads them. */
function checkFactTargets(feature: Constructor, members: MembersOfClass, report: ReportProblem): boolean {
  const entries = [...ENTRY_FACTS].map((kind: FactKind<unknown>) => members.of(kind));
  const unexpected = [...(members.of(AUTHOR_FACTS) ?? [])].filter(
    ([member, facts]) => !entries.some((known) => known?.has(member)) && !facts.every(({ fact }) => fact.standsAlone),
  );
  for (const [member, [first]] of unexpected)
    report(problem('SIGIL_FACT_TARGET', `${feature.name}.${member}`, { fact: first?.fact.label ?? 'a fact' }));
  return unexpected.length === 0;
}

/** Whether a class has facts for extensions that read classes, so that it is a feature also without entries. */
function standsAlone(feature: Constructor, members: MembersOfClass): boolean {
  const ofMembers = [...(members.of(AUTHOR_FACTS)?.values() ?? [])].flat();
  return [...classFacts(AUTHOR_FACTS, feature), ...ofMembers].some(({ fact }) => fact.standsAlone);
}

/** Reports static methods with decorators; returns whether there were any. */
function reportStatic(feature: Constructor, report: ReportProblem): boolean {
  const statics = staticsOf(feature);
  const found = Object.entries(METHOD_DECORATORS).flatMap(([decorator, kind]) =>
    [...(statics.of(kind)?.keys() ?? [])].map((member) => ({ decorator, member })),
  );
  for (const { decorator, member } of found)
    report(problem('SIGIL_STATIC_METHOD', `${feature.name}.${member}`, { decorator }));
  return found.length > 0;
}
