/** Whether the facts of authors mean something where they are, and what extensions have to say about the entries that have theirs. */
import { problem } from '../errors/catalogue';
import { isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';
import type { EntryFacts } from '../context/entry-facts';
import type { EntryPlan } from '../kinds/all-kinds';
import { FacedShapes } from '../members/entry-shapes';
import type { Scan } from '../members/member';

/** Whether the facts of an entry that is described by data are values of facts; reports why not. */
export function checkFacts(facts: unknown, where: string, report: ReportProblem): boolean {
  if (facts === undefined || (Array.isArray(facts) && facts.every(isFactValue))) return true;
  report(problem('SIGIL_FACT_VALUES', where, { value: nameValue(facts) }));
  return false;
}

function isFactValue(value: unknown): boolean {
  return isObject(value) && typeof value['fact'] === 'function' && 'value' in value;
}

/** Whether an entry is in order for the extensions of the server; reports why not. */
export function checkExtended(plan: EntryPlan, where: string, { extensions, report }: Scan): boolean {
  let isInOrder = true;
  const note: ReportProblem = (found) => {
    isInOrder = false;
    report(found);
  };
  const known = new Set(extensions.map(({ name }) => name));
  for (const { label, extension } of plan.facts?.keys() ?? [])
    if (extension !== undefined && !known.has(extension))
      note(problem('SIGIL_EXTENSION_MISSING', where, { fact: label, extension }));
  for (const extension of extensions) extension.check?.(factsOf(plan), note);
  return isInOrder;
}

/** What is known of an entry before its guards are built. */
export function factsOf({ kind, key, definition, source, policy, facts, input, output }: EntryPlan): EntryFacts {
  return {
    kind,
    key,
    definition,
    source,
    policy: { ...policy, roles: [] },
    shapes: new FacedShapes(input, output),
    facts,
  };
}
