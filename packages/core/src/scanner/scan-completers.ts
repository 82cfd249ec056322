/** `@Complete` -> plans, by the method they complete for. */
import type { Constructor } from '../container/provider';
import { COMPLETE } from '../decorators/complete';
import { wordsFor } from '../errors/catalogue';
import { allMemberFacts } from '@sigil-mcp/base/facts';
import { argumentNames, type EntryPlan } from '../kinds/all-kinds';
import { memberOf, reportMember, suggestMember, type Member, type Scan } from '../members/member';
import type { CompleterPlan } from '../members/plan-base';
import { ofTheCall } from '../members/scan-parameters';

/** A completer and the method it is for. */
export interface TargetedCompleter extends CompleterPlan {
  readonly target: string;
  readonly member: Member;
}

/** Reads the completers of a feature. Whether what they complete exists is checked by `checkCompleters`. */
export function scanCompleters(feature: Constructor, scan: Scan): TargetedCompleter[] {
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
export function checkCompleters(completers: readonly TargetedCompleter[], plans: readonly EntryPlan[]): void {
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
