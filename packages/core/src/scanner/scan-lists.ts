/** `@ListTemplate` -> plans, by the method of the template they list. */
import type { Constructor } from '../container/provider';
import { allMemberFacts, memberFacts } from '@sigil-mcp/base/facts';
import { RESOURCE, LIST_TEMPLATE } from '../decorators/resource';
import { PageRequest } from '../registry/listed-resource';
import { wordsFor } from '../errors/catalogue';
import type { ErrorWords } from '@sigil-mcp/base';
import { isTemplate } from '../kinds/resource-contents';
import { memberOf, reportMember, suggestMember, type Member, type Scan } from '../members/member';
import type { ListPlan } from '../members/plan-base';
import { ofTheCall } from '../members/scan-parameters';

/** Reads the lists of a feature: method of a template -> what lists it. Reports what is wrong with them. */
export function scanLists(feature: Constructor, scan: Scan): ReadonlyMap<string, ListPlan> {
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
