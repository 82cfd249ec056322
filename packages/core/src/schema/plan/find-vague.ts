/** What says too little: a model is not told what to send, and the handler gets whatever was sent. It works, and is told. */
import { dtoProblems, type DtoProblem } from './dto-problems';
import { isAnything } from '../read/accept-kinds';
import { containerOf, nestedClass, type PropertySource } from './property-source';
import type { ValuePlan } from '../value-plan';

/** What a planned property leaves open without saying that it may be anything; undefined where it leaves nothing open. */
export function findVague(source: PropertySource, value: ValuePlan): DtoProblem | undefined {
  if (source.rules.anyValue) return undefined;
  const container = containerOf(source);
  const held = container ? (value.items ?? value.values ?? value) : value;
  const type = nestedClass(source);
  if (type && !held.nested && !held.union && (isAnything(held) || held.kinds?.has('object')))
    return dtoProblems.anyMembers(type.name);
  if (container === 'record' || !isAnything(held) || held.nested || held.union) return undefined;
  return container ? dtoProblems.anyItems() : dtoProblems.anyValue();
}
