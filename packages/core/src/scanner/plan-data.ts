/** An entry described by data -> plan, in the same way as for a decorated method. */
import { groupFacts, type FactValue, type FactValues } from '../context/fact-values';
import { wordsFor, problem } from '../errors/catalogue';
import { nameValue, isObject, type ReportProblem, type ErrorWords } from '@sigil-mcp/base';
import { checkEntryData } from './check-entry-data';
import { checkMembers } from './check-members';
import { checkReferences } from './check-references';
import { argumentNames, type EntryPlan, type RulesOf } from '../kinds/all-kinds';
import { rulesOfData, type EntryData } from '../kinds/entry-data';
import type { ResourceData } from '../kinds/resource-contents';
import { loadExamples } from './load-examples';
import { levelsAround, reportMember, type Member, type Scan } from '../members/member';
import type { Companions } from '../members/plan-base';
import { checkLevel, levelOf, policyOf } from '../members/read-policy';
import type { EntryFacts } from '../context/entry-facts';
import { FacedShapes } from '../members/entry-shapes';
import type { EntryOption } from '../extensions/entry-option';

/** An entry with its options, those of extensions taken out. */
interface Taken<T> {
  /** The options of the protocol. */
  readonly own: T;
  /** With the facts. */
  readonly member: Member;
  readonly isInOrder: boolean;
}

/** Takes the options of extensions out of those of an entry; reports values that are not valid. */
type TakeOptions = <T>(member: Member, given: T, rules: RulesOf) => Taken<T>;

/**
 * Plans an entry that is described by data.
 * @param where the place where the data comes from, for messages: a method of the registry, or a function
 * @returns undefined if there is a problem with it, which has been reported
 */
export function planData(data: EntryData, scan: Scan, where: string): EntryPlan | undefined {
  if (!checkEntryData(data, where, scan.report)) return undefined;
  const rules = rulesOfData(data);
  const { member, own, isInOrder: isTaken } = optionTaker(scan)(dataMember(data, scan, where), data, rules);
  const isInOrder = [
    isTaken,
    rules.checkData?.(data, where, scan.report) ?? true,
    checkMembers(member, own, rules),
    checkFunctions(member, data),
    checkFacts(data.facts, where, scan.report),
    checkLevel(levelOf(data), where, scan.report),
    checkReferences(data, () => where, scan.report),
  ].every(Boolean);
  if (!isInOrder) return undefined;
  const scanned = rules.scan(member, rules.factOf(data), companionsOf(data));
  const plan = scanned?.facts ? loadExamples()(scanned, where, scan.report) : scanned;
  if (!plan || !checkCompletions(member, data, plan)) return undefined;
  // There are no parameter types: the first parameter is for the input, even if the entry has no input, and the second is the context.
  const first = (data as { readonly input?: unknown }).input === undefined ? 'nothing' : 'input';
  // The plan is of the kind of its data.
  const all = { ...plan, data, parameters: [first, 'context'] } as EntryPlan;
  return checkExtended(all, where, scan) ? all : undefined;
}

/** The place of an entry among the features, for messages: `tool("add")`. */
export function placeOf(data: EntryData): string {
  const { dataKind, keyMember } = rulesOfData(data);
  return `${dataKind}(${JSON.stringify((data as Partial<ResourceData>)[keyMember])})`;
}

/** The functions of an entry besides its handler; a kind that has none of them was checked to have none. */
function companionsOf(data: EntryData): Companions {
  const { complete = {}, list } = data as Partial<ResourceData>;
  // What takes the context, or the context and a page, can be called with both.
  const parameters = (['context', 'page'] as const).slice(0, Math.max(list?.length ?? 0, 1));
  return {
    completers: Object.entries(complete).map(([argument, run]) => ({
      argument,
      // What takes a text and the context can be called with them.
      handler: { run: run as (...args: unknown[]) => unknown },
      parameters: ['prefix', 'context'],
    })),
    list: list && { handler: { run: list as (...args: unknown[]) => unknown }, parameters },
  };
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
    supplied: [],
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

/** Whether the facts of an entry that is described by data are values of facts; reports why not. */
function checkFacts(facts: unknown, where: string, report: ReportProblem): boolean {
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

/** What takes the options of the extensions of a server: most servers have none. */
export function optionTaker({ extensions }: Pick<Scan, 'extensions'>): TakeOptions {
  const options = extensions.flatMap((extension) => extension.options ?? []);
  if (options.length === 0) return (member, own) => ({ own, member, isInOrder: true });
  return (member, given, { dataKind }) =>
    takeOptions(
      member,
      given,
      options.filter(({ kind }) => kind === dataKind),
    );
}

function takeOptions<T>(member: Member, given: T, known: readonly EntryOption[]): Taken<T> {
  const used = isObject(given) ? known.filter(({ name }) => given[name] !== undefined) : [];
  if (!isObject(given) || used.length === 0) return { own: given, member, isInOrder: true };
  let isInOrder = true;
  const report = (words: ErrorWords): void => {
    isInOrder = false;
    reportMember(member, words);
  };
  const values = used.flatMap(({ name, factOf }) => factOf(given[name], report) ?? []);
  const taken = new Set(used.map(({ name }) => name));
  const own = Object.fromEntries(Object.entries(given).filter(([name]) => !taken.has(name)));
  // What is left has the members that its type requires.
  return { own: own as T, member: { ...member, facts: withValues(member.facts, values) }, isInOrder };
}

function withValues(facts: FactValues | undefined, values: readonly FactValue[]): FactValues | undefined {
  const known = [...(facts ?? [])].flatMap(([fact, all]) => all.map((value) => ({ fact, value })));
  return groupFacts([...known, ...values]);
}
