/** Classes, and entries described by data -> plans: the scanner interprets the facts that decorators wrote. */
import type { ErrorWords, ReportProblem } from '@sigil-mcp/base';
import { allMemberFacts, factsByMember, memberFacts } from '@sigil-mcp/base/facts';
import type { Constructor } from '../container/provider';
import { COMPLETE } from '../decorators/argument-decorators';
import { LIST_TEMPLATE, RESOURCE } from '../decorators/resource';
import { problem, wordsFor } from '../errors/catalogue';
import {
  argumentNames,
  ENTRY_FACTS,
  rulesOfFact,
  type EntryData,
  type EntryPlan,
  type FeatureSource,
} from '../kinds/all-kinds';
import { isTemplate } from '../kinds/resource';
import {
  memberOf,
  membersOfFeature,
  reportMember,
  suggestMember,
  type Companions,
  type CompleterPlan,
  type ListPlan,
  type Member,
  type Scan,
} from '../members/member';
import { ofTheCall } from '../members/scan-parameters';
import { PageRequest } from '../registry/listed-resource';
import { checkFeature } from './check-feature';
import { checkOptions } from './check-members';
import type { FlatModule } from './flatten-modules';
import { loadExamples } from './load-examples';
import { checkExtended, optionTaker, placeOf, planData } from './plan-data';

/** A completer and the method it is for. */
interface TargetedCompleter extends CompleterPlan {
  readonly target: string;
  readonly member: Member;
}

/** Scans all features: reports every problem, and returns the plans of the entries that have none. */
export function scanFeatures(
  features: readonly FeatureSource[],
  scan: Scan,
  modules: readonly FlatModule[] = [],
): EntryPlan[] {
  const inModules = modules.flatMap((module) => scanEach(module.features, { ...scan, module: module.surroundings }));
  const plans = [...scanEach(features, scan), ...inModules];
  reportDoubles(plans, scan.report);
  return plans;
}

function scanEach(features: readonly FeatureSource[], scan: Scan): EntryPlan[] {
  return [...new Set(features)].flatMap((feature) =>
    typeof feature === 'function' ? scanFeature(feature, scan) : scanEntry(feature, scan),
  );
}

function scanFeature(feature: Constructor, scan: Scan): EntryPlan[] {
  if (!checkFeature(feature, scan.report)) return [];
  const completers = scanCompleters(feature, scan);
  const lists = scanLists(feature, scan);
  const companionsOf = ({ name }: Member): Companions => ({
    completers: completers.filter(({ target }) => target === name),
    list: lists.get(name),
  });
  const plans = scanMembers(feature, scan, companionsOf);
  checkCompleters(completers, plans);
  return plans.filter((plan) => checkExtended(plan, whereOf(plan), scan));
}

function scanEntry(data: EntryData, scan: Scan): EntryPlan[] {
  const plan = planData(data, scan, placeOf(data));
  return plan ? [plan] : [];
}

function scanMembers(feature: Constructor, scan: Scan, companionsOf: (member: Member) => Companions): EntryPlan[] {
  const memberNamed = membersOfFeature(feature, scan);
  const taking = optionTaker(scan);
  const plans: EntryPlan[] = [];
  for (const kind of ENTRY_FACTS) {
    for (const [name, facts] of factsByMember(kind, feature)) {
      for (const fact of facts) {
        const rules = rulesOfFact(kind, fact);
        const { member, own, isInOrder } = taking(memberNamed(name), fact.options, rules);
        const reduced = own === fact.options ? fact : { ...fact, options: own };
        const scanned = checkOptions(member, own, rules) && rules.scan(member, reduced, companionsOf(member));
        const plan = scanned && scanned.facts ? loadExamples()(scanned, member.where, scan.report) : scanned;
        if (plan && isInOrder) plans.push(plan);
      }
    }
  }
  return plans;
}

function reportDoubles(plans: readonly EntryPlan[], report: ReportProblem): void {
  const first = new Map<string, EntryPlan>();
  let hasAliases = false;
  for (const plan of plans) {
    if (plan.versions) hasAliases = true;
    const name = `${plan.kind} ${JSON.stringify(plan.key)}`;
    const other = first.get(name);
    if (!other) first.set(name, plan);
    else report(problem('SIGIL_DUPLICATE_ENTRY', whereOf(plan), { entry: name, other: whereOf(other) }));
  }
  if (hasAliases) checkAliases(plans, report);
}

/**
 * Whether every old name of a tool leads to it alone; reports the others.
 * @param plans of all entries of a server
 */
export function checkAliases(plans: readonly EntryPlan[], report: ReportProblem): boolean {
  const named = new Map(plans.map((plan) => [`${plan.kind} ${plan.key}`, plan]));
  const replaced = new Map<string, EntryPlan>();
  let isInOrder = true;
  for (const plan of plans) {
    for (const { name } of plan.versions?.aliases ?? []) {
      const alias = `${plan.kind} ${name}`;
      const taken = named.get(alias);
      const other = taken ?? replaced.get(alias);
      replaced.set(alias, plan);
      if (!other) continue;
      isInOrder = false;
      const values = { name: JSON.stringify(name), other: whereOf(other) };
      report(problem(taken ? 'SIGIL_REPLACED_TAKEN' : 'SIGIL_REPLACED_TWICE', whereOf(plan), values));
    }
  }
  return isInOrder;
}

/** Where an entry is written down: its class and method, or the function that made it, and its module. */
export function whereOf({ source, data }: EntryPlan): string {
  const place = data ? placeOf(data) : `${source.feature?.name}.${source.member}`;
  return source.module === undefined ? place : `${place} (${source.module})`;
}

/** Reads the completers of a feature. Whether what they complete exists is checked by `checkCompleters`. */
function scanCompleters(feature: Constructor, scan: Scan): TargetedCompleter[] {
  return allMemberFacts(COMPLETE, feature).flatMap(({ member: name, facts }) => {
    const member = memberOf(feature, name, scan);
    const parameters = completerParameters(member);
    return facts.map(({ argument, target }) => ({
      argument,
      target,
      member,
      parameters,
      handler: { feature, member: name },
    }));
  });
}

/** Reports completers whose method or argument does not exist. */
function checkCompleters(completers: readonly TargetedCompleter[], plans: readonly EntryPlan[]): void {
  const completed = plans.filter((plan) => 'completers' in plan);
  for (const { argument, target, member } of completers) {
    const targets = completed.filter(({ source }) => source.member === target);
    if (targets.length === 0) {
      const suggestion = suggestMember(
        target,
        completed.flatMap(({ source: { member: known = [] } }) => known),
      );
      reportMember(member, wordsFor('SIGIL_COMPLETE_TARGET', { target: JSON.stringify(target), suggestion }));
    } else if (!targets.some((plan) => argumentNames(plan).includes(argument))) {
      const known = targets.flatMap(argumentNames).join(', ') || 'none';
      const values = { argument: JSON.stringify(argument), target, known };
      reportMember(member, wordsFor('SIGIL_COMPLETE_ARGUMENT', values));
    }
  }
}

function completerParameters(member: Member): CompleterPlan['parameters'] {
  const { parameterTypes, parameterCount, supplied } = member;
  if (parameterTypes)
    return parameterTypes.map((type, index) => (supplied.includes(index) ? 'nothing' : (ofTheCall(type) ?? 'prefix')));
  return (['prefix', 'context'] as const).slice(0, parameterCount);
}

// `@ListTemplate` -> plans, by the method of the template they list.

/** Reads the lists of a feature: method of a template -> what lists it. Reports what is wrong with them. */
function scanLists(feature: Constructor, scan: Scan): ReadonlyMap<string, ListPlan> {
  const lists = new Map<string, ListPlan>();
  for (const { member: name, facts } of allMemberFacts(LIST_TEMPLATE, feature)) {
    const member = memberOf(feature, name, scan);
    const parameters = listParameters(member);
    for (const { target } of facts) {
      const problem = targetProblem(target, feature) ?? doubleProblem(target, lists);
      if (problem) reportMember(member, problem);
      else lists.set(target, { handler: { feature, member: name }, parameters });
    }
  }
  return lists;
}

function countTemplates(feature: Constructor, member: string): number {
  return memberFacts(RESOURCE, feature, member).filter(isTemplate).length;
}

function targetProblem(name: string, feature: Constructor): ErrorWords | undefined {
  const count = countTemplates(feature, name);
  if (count === 1) return undefined;
  const target = JSON.stringify(name);
  if (count > 1) return wordsFor('SIGIL_LIST_TARGETS', { target, count });
  const templates = allMemberFacts(RESOURCE, feature).flatMap(({ member }) =>
    countTemplates(feature, member) > 0 ? [member] : [],
  );
  return wordsFor('SIGIL_LIST_TARGET', { target, suggestion: suggestMember(name, templates) });
}

function doubleProblem(target: string, lists: ReadonlyMap<string, ListPlan>): ErrorWords | undefined {
  return lists.has(target) ? wordsFor('SIGIL_LIST_TWICE', { target: JSON.stringify(target) }) : undefined;
}

function listParameters(member: Member): ListPlan['parameters'] {
  const { parameterTypes, parameterCount } = member;
  // Without types there are positions: those of a function that lists.
  const given = parameterTypes?.map(listParameter) ?? (['context', 'page'] as const).slice(0, parameterCount);
  const known = given.filter((each) => each !== undefined);
  const isWrong = parameterTypes ? known.length < given.length : parameterCount > 2;
  if (isWrong || new Set(known).size < known.length) reportMember(member, wordsFor('SIGIL_LIST_PARAMETERS'));
  return known;
}

function listParameter(type: unknown): ListPlan['parameters'][number] | undefined {
  return type === PageRequest ? 'page' : ofTheCall(type);
}
