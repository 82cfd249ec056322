/** An entry described by data -> plan, in the same way as for a decorated method. */
import { groupFacts } from '../context/fact-values';
import { wordsFor } from '../errors/catalogue';
import { argumentNames } from '../registry/argument-names';
import { nameValue } from '@sigil-mcp/base';
import { checkEntryData } from './check-entry-data';
import { checkExtended, checkFacts } from './check-facts';
import { checkMembers } from './check-members';
import { checkReferences } from './check-references';
import type { Completions, EntryData, ResourceData } from './entry-data';
import { levelsAround, reportMember, type Member, type Scan } from './member';
import type { CompleterPlan, EntryPlan } from './plan';
import { checkLevel, levelOf, policyOf } from './read-policy';
import { scanPrompt } from './scan-prompt';
import { scanResource } from './scan-resource';
import { scanTool } from './scan-tool';

/**
 * Plans an entry that is described by data.
 * @param where the place where the data comes from, for messages: a method of the registry, or a function
 * @returns undefined if there is a problem with it, which has been reported
 */
export function planData(data: EntryData, scan: Scan, where: string): EntryPlan | undefined {
  if (!checkEntryData(data, where, scan.report)) return undefined;
  const member = dataMember(data, scan, where);
  const isInOrder = [
    checkMembers(member, data),
    checkFunctions(member, data),
    checkFacts(data.facts, where, scan.report),
    checkLevel(levelOf(data), where, scan.report),
    checkReferences(data, () => where, scan.report),
  ].every(Boolean);
  if (!isInOrder) return undefined;
  const plan = scanData(data, member);
  if (!plan || !checkCompletions(member, data, plan)) return undefined;
  // There are no parameter types: the input is always the first parameter, even if there is no input, and the context the second.
  const all: EntryPlan = { ...plan, data, parameters: ['input', 'context'] };
  return checkExtended(all, where, scan) ? all : undefined;
}

/** The place of an entry among the features, for messages: `tool("add")`. */
export function placeOf(data: EntryData): string {
  return `${data.kind}(${JSON.stringify(data.kind === 'resource' ? data.uri : data.name)})`;
}

function scanData(data: EntryData, member: Member): EntryPlan | undefined {
  switch (data.kind) {
    case 'tool':
      return scanTool(member, { description: data.description, options: data });
    case 'resource':
      return scanResourceData(member, data);
    case 'prompt':
      return scanPrompt(member, { description: data.description, options: data }, completersOf(data.complete));
  }
}

function scanResourceData(member: Member, data: ResourceData): EntryPlan | undefined {
  const { uri, list: run, complete } = data;
  if (run && !uri.includes('{')) {
    reportMember(member, wordsFor('SIGIL_LIST_WITHOUT_TEMPLATE', { uri: JSON.stringify(uri) }));
    return undefined;
  }
  // A function that takes the context, or the context and a page, can be called with both.
  const parameters = (['context', 'page'] as const).slice(0, Math.max(run?.length ?? 0, 1));
  const handler = run && { run: run as (...args: unknown[]) => unknown };
  return scanResource(
    member,
    { uri, options: data },
    { completers: completersOf(complete), list: handler && { handler, parameters } },
  );
}

function completersOf(complete: Completions = {}): CompleterPlan[] {
  return Object.entries(complete).map(([argument, run]) => ({
    argument,
    // A function that takes a text and the context can be called with them.
    handler: { run: run as (...args: unknown[]) => unknown },
    parameters: ['prefix', 'context'],
  }));
}

/** Whether all functions are functions: the types require it, but JavaScript does not check them. */
function checkFunctions(member: Member, data: EntryData): boolean {
  const { handler, list, complete = {} } = data as Partial<ResourceData>;
  const named: (readonly [string, unknown])[] = [
    ['handler', handler],
    ...(list === undefined ? [] : [['list', list] as const]),
    ...Object.entries(complete).map(([argument, run]) => [`complete.${argument}`, run] as const),
  ];
  const wrong = named.filter(([, run]) => typeof run !== 'function');
  for (const [part, run] of wrong)
    reportMember(member, wordsFor('SIGIL_ENTRY_FUNCTION', { part, value: nameValue(run) }));
  return wrong.length === 0;
}

/** Whether the completed arguments exist. */
function checkCompletions(member: Member, data: EntryData, plan: EntryPlan): boolean {
  const { complete = {} } = data as Partial<ResourceData>;
  const known = argumentNames(plan);
  const unexpected = Object.keys(complete).filter((argument) => !known.includes(argument));
  for (const argument of unexpected) {
    const values = { argument: JSON.stringify(argument), target: 'it', known: known.join(', ') || 'none' };
    reportMember(member, wordsFor('SIGIL_COMPLETE_ARGUMENT', values));
  }
  return unexpected.length === 0;
}

function dataMember(data: EntryData, scan: Scan, where: string): Member {
  const { name, handler, guards = [], interceptors = [] } = data;
  const { module } = scan;
  return {
    name,
    where,
    ...scan,
    parameterTypes: undefined,
    // Declared parameters would need types.
    parameterCount: 0,
    source: { feature: undefined, member: undefined, module: module?.label },
    module,
    // The author of the entry is responsible for the type of the handler's input.
    handler: { run: handler as (...args: unknown[]) => unknown },
    guards: [...(module?.guards ?? []), ...guards],
    interceptors: [...(module?.interceptors ?? []), ...interceptors],
    policy: policyOf([...levelsAround(scan), levelOf(data)]),
    facts: groupFacts(Array.isArray(data.facts) ? data.facts : []),
  };
}
