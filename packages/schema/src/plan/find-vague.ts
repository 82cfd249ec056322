/** Finds properties that say too little: the model does not learn what to send, and the handler gets any value. They cause a warning. */
import { dtoProblems, type DtoProblem } from './dto-problems';
import { isAnything } from '../read/accept-kinds';
import { containerOf, nestedClass, type PropertySource } from './property-source';
import { isGuessed } from './nested-source';
import { kindsOfRule } from './rule-kinds';
import type { ValuePlan } from '../value-plan';

/** What a planned property leaves open without saying that it may be anything; undefined where it leaves nothing open. */
export function findVague(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  if (isGuessed(source))
    return dtoProblems.nestedNotValidated(nestedClass(source)?.name ?? 'instances of several classes');
  if (mayBeRecord(source)) return dtoProblems.listOrRecord(nestedClass(source)?.name ?? 'a class');
  const held = value.items ?? value.values ?? value;
  const isFree = isAnything(held);
  if (!isFree && !held.kinds?.has('object')) return undefined;
  if (source.rules.anyValue || held.nested || held.union) return undefined;
  const type = nestedClass(source);
  if (source.rules.nested && !type && !source.transformer.transform) return dtoProblems.nestedWithoutType();
  if (type) return dtoProblems.anyMembers(type.name);
  const container = containerOf(source);
  if (container === 'record' || !isFree) return undefined;
  return container ? dtoProblems.anyItems() : dtoProblems.anyValue();
}

/**
 * Instances of which nobody knows the class are not validated, although the author has asked for it. What a handler returns is written as it
 * is.
 */
export function findUnvalidated(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  const { rules, transformer, planning } = source;
  if (!rules.nested || rules.anyValue || transformer.transform || planning.direction === 'output') return undefined;
  const held = value.items ?? value.values ?? value;
  return held.nested || held.union || nestedClass(source) ? undefined : dtoProblems.nestedWithoutType();
}

/** Whether nothing but `{ each: true }` says that instances stand in a list: of a record the compiler says the same. */
function mayBeRecord(source: PropertySource): boolean {
  const { rules, emitted, transformer } = source;
  if (rules.nested !== 'items' || emitted !== Object || transformer.transform) return false;
  const isList = rules.rules.some((rule) => !rule.each && kindsOfRule(rule)?.includes('array'));
  return !isList && containerOf(source) === 'array';
}
