/** `@Complete` -> plans, by the method they complete for. */
import type { Constructor } from '../container/provider';
import { COMPLETE } from '../decorators/complete';
import { allMemberFacts } from '../facts/facts';
import { argumentNames } from '../registry/argument-names';
import { memberOf, reportMember, type Member, type Scan } from './member';
import type { CompleterPlan, EntryPlan } from './plan';
import { isContext } from './scan-parameters';

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
  for (const { argument, target, member } of completers) {
    const targets = plans.filter(
      ({ source, kind }) => source.member === target && (kind === 'prompt' || kind === 'resource-template'),
    );
    if (targets.length === 0) {
      reportMember(member, {
        code: 'SIGIL_COMPLETE_TARGET',
        what: `@Complete names ${JSON.stringify(target)}, but no prompt or resource template of the class is a method of that name.`,
        mend: 'Name the method that has @Prompt, or @Resource with a template.',
      });
    } else if (!targets.some((plan) => argumentNames(plan).includes(argument))) {
      reportMember(member, {
        code: 'SIGIL_COMPLETE_ARGUMENT',
        what: `@Complete names the argument ${JSON.stringify(argument)}, but ${target} has ${targets.flatMap(argumentNames).join(', ') || 'none'}.`,
        mend: 'Name one of its arguments or variables.',
      });
    }
  }
}

function completerParameters(member: Member): CompleterPlan['parameters'] {
  const { parameterTypes, parameterCount } = member;
  if (parameterTypes) return parameterTypes.map((type) => (isContext(type) ? 'context' : 'prefix'));
  return (['prefix', 'context'] as const).slice(0, parameterCount);
}
