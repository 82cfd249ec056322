/** `@ListTemplate` -> plans, by the method of the template they list. */
import type { Constructor } from '../container/provider';
import { allMemberFacts, memberFacts } from '../facts/facts';
import { LIST_TEMPLATE } from '../decorators/list-template';
import { RESOURCE } from '../decorators/resource';
import type { DefinitionProblem } from '../errors/definition-error';
import { memberOf, reportMember, type Member, type Scan } from './member';
import type { ListPlan } from './plan';
import { isContext } from './scan-parameters';

/** Reads the lists of a feature: method of a template -> what lists it. Reports what is wrong with them. */
export function scanLists(feature: Constructor, scan: Scan): ReadonlyMap<string, ListPlan> {
  const lists = new Map<string, ListPlan>();
  for (const { member: name, facts } of allMemberFacts(LIST_TEMPLATE, feature)) {
    const member = memberOf(feature, name, scan);
    const parameters = listParameters(member);
    for (const { target } of facts) {
      const problem = targetProblem(target, countTemplates(feature, target)) ?? doubleProblem(target, lists);
      if (problem) reportMember(member, problem);
      else lists.set(target, { handler: { feature, member: name }, parameters });
    }
  }
  return lists;
}

function countTemplates(feature: Constructor, member: string): number {
  return memberFacts(RESOURCE, feature, member).filter(({ uri }) => uri.includes('{')).length;
}

function targetProblem(target: string, templates: number): Omit<DefinitionProblem, 'where'> | undefined {
  const name = JSON.stringify(target);
  if (templates === 1) return undefined;
  return {
    code: 'SIGIL_LIST_TARGET',
    what:
      templates > 1
        ? `@ListTemplate names ${name}, which has ${templates} templates, so nothing tells which of them it lists.`
        : `@ListTemplate names ${name}, but no method of the class with that name has a resource template.`,
    mend: 'Name a method that has one @Resource with {variables} in its URI.',
  };
}

function doubleProblem(
  target: string,
  lists: ReadonlyMap<string, ListPlan>,
): Omit<DefinitionProblem, 'where'> | undefined {
  if (!lists.has(target)) return undefined;
  return {
    code: 'SIGIL_LIST_TWICE',
    what: `@ListTemplate names ${JSON.stringify(target)}, which another method lists already.`,
    mend: 'Let one method return both lists.',
  };
}

function listParameters(member: Member): ListPlan['parameters'] {
  const { parameterTypes, parameterCount } = member;
  const isWrong = parameterTypes ? !parameterTypes.every(isContext) : parameterCount > 1;
  if (isWrong) {
    reportMember(member, {
      code: 'SIGIL_LIST_PARAMETERS',
      what: 'it has @ListTemplate, but takes more than the context: nothing else is known while a template is listed.',
      mend: 'Take nothing, or one McpContext.',
    });
  }
  return Array.from({ length: parameterTypes?.length ?? parameterCount }, () => 'context');
}
