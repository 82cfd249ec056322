/** An entry and its changes -> its plan, made again in the same way as the first one. */
import { memberFacts } from '@sigil-mcp/base/facts';
import { problem } from '../errors/catalogue';
import { PROMPT } from '../decorators/prompt';
import { RESOURCE } from '../decorators/resource';
import { TOOL } from '../decorators/tool';
import { refusedChanges, type EntryChanges } from './entry-changes';
import { listedName, memberOf, type Scan } from './member';
import { planData } from './plan-data';
import type { EntryPlan } from './plan';
import { scanPrompt } from './scan-prompt';
import { scanResource } from './scan-resource';
import { scanTool } from './scan-tool';

/**
 * Plans an entry again, with its changes.
 * @param changes all since the entry was first defined
 * @returns undefined if there is a problem with it, which has been reported
 */
export function planChanges(plan: EntryPlan, changes: EntryChanges, scan: Scan): EntryPlan | undefined {
  const { data } = plan;
  const refused = refusedChanges(plan.kind, changes, data === undefined);
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

/** The fact that the decorator of a tool or a prompt wrote. */
interface Fact<O> {
  readonly description: string;
  readonly options: O;
}

/** Scans the method of a decorated entry again, as if its decorator had other options. */
function planMemberChanges(plan: EntryPlan, changes: EntryChanges, scan: Scan): EntryPlan | undefined {
  const { handler, kind, key, completers, list, module } = plan;
  if (!('feature' in handler)) return undefined;
  const { feature, member: name } = handler;
  const member = memberOf(feature, name, { ...scan, module });
  // The method determines its input; it was checked that the changes have none.
  const { input: _input, ...words } = changes;
  const hasKey = ({ options }: { readonly options: { readonly name?: string } }) =>
    listedName(plan, options.name ?? name) === key;
  if (kind === 'tool') {
    const fact = memberFacts(TOOL, feature, name).find(hasKey);
    return fact && scanTool(member, reworded(fact, words));
  }
  if (kind === 'prompt') {
    const fact = memberFacts(PROMPT, feature, name).find(hasKey);
    return fact && scanPrompt(member, reworded(fact, words), completers);
  }
  const fact = memberFacts(RESOURCE, feature, name).find(({ uri }) => uri === key);
  return fact && scanResource(member, { uri: key, options: { ...fact.options, ...words } }, { completers, list });
}

function reworded<O extends object>({ description, options }: Fact<O>, words: Omit<EntryChanges, 'input'>) {
  return { description: words.description ?? description, options: { ...options, ...words } };
}
