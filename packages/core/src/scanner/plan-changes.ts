/** An entry and its changes -> its plan, made again in the same way as the first one. */
import { memberFacts } from '@sigil-mcp/base/facts';
import { problem } from '../errors/catalogue';
import { rulesOf, type EntryPlan } from '../kinds/all-kinds';
import { refusedChanges, type EntryChanges } from '../kinds/entry-changes';
import { memberOf, type Scan } from '../members/member';
import { loadExamples } from './load-examples';
import { planData, optionTaker } from './plan-data';

/**
 * Plans an entry again, with its changes.
 * @param changes all since the entry was first defined
 * @returns undefined if there is a problem with it, which has been reported
 */
export function planChanges(plan: EntryPlan, changes: EntryChanges, scan: Scan): EntryPlan | undefined {
  const { data } = plan;
  const refused = refusedChanges(rulesOf(plan), changes, data === undefined);
  const where = `registry.update(${JSON.stringify(plan.key)})`;
  if (refused.length > 0) {
    const values = { names: refused.join(', '), entry: data ? 'an entry' : 'a decorated entry' };
    scan.report(problem('SIGIL_UPDATE_REFUSED', where, values));
    return undefined;
  }
  // The names of changes were checked; each kind of data takes its own changes.
  if (data) return planData({ ...data, ...changes }, { ...scan, module: plan.module }, where);
  return planMemberChanges(plan, changes, scan);
}

/** Scans the method of a decorated entry again, as if its decorator had other options. */
function planMemberChanges(plan: EntryPlan, changes: EntryChanges, scan: Scan): EntryPlan | undefined {
  const { handler, key, module } = plan;
  if (!('feature' in handler)) return undefined;
  const { feature, member: name } = handler;
  const member = memberOf(feature, name, { ...scan, module });
  const rules = rulesOf(plan);
  const fact = memberFacts(rules.facts, feature, name).find((each) => rules.keyOf(member, each) === key);
  const companions = { completers: [], list: undefined, ...plan };
  if (!fact) return undefined;
  const reworded = rules.reword(fact, changes);
  const taken = optionTaker(scan)(member, reworded.options, rules);
  if (!taken.isInOrder) return undefined;
  const planned = rules.scan(taken.member, { ...reworded, options: taken.own }, companions);
  return planned?.facts ? loadExamples()(planned, member.where, scan.report) : planned;
}
