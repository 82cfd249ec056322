/** An entry described by data -> plan, in the same way as for a decorated method. */
import { wordsFor, problem } from '../errors/catalogue';
import { nameValue, isObject, type ReportProblem, type ErrorWords } from '@sigil-mcp/base';
import { checkMembers, checkReferences } from './check-members';
import {
  argumentNames,
  isEntryData,
  refusedChanges,
  rulesOf,
  rulesOfData,
  type EntryChanges,
  type EntryData,
  type EntryPlan,
  type RulesOf,
} from '../kinds/all-kinds';
import type { ResourceData } from '../kinds/resource';
import { loadExamples } from './load-examples';
import { levelsAround, memberOf, reportMember, type Companions, type Member, type Scan } from '../members/member';
import { checkLevel, levelOf, policyOf } from '../members/read-policy';
import { type EntryFacts, groupFacts, type FactValue, type FactValues } from '../context/entry-facts';
import { FacedShapes } from '../members/entry-shapes';
import type { EntryOption } from '../extensions/entry-option';
import { memberFacts } from '@sigil-mcp/base/facts';

/** An entry with its options, those of extensions taken out. */
interface OwnOptions<T> {
  /** The options of the protocol. */
  readonly own: T;
  /** With the facts. */
  readonly member: Member;
  readonly isInOrder: boolean;
}

/** Takes the options of extensions out of those of an entry; reports values that are not valid. */
type TakeOptions = <T>(member: Member, given: T, rules: RulesOf) => OwnOptions<T>;

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

function takeOptions<T>(member: Member, given: T, known: readonly EntryOption[]): OwnOptions<T> {
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

/**
 * Whether data says what kind of entry it describes; reports why not.
 * @param where the method of the registry that was given the data, or the function that made it
 */
function checkEntryData(data: unknown, where: string, report: ReportProblem): boolean {
  if (isEntryData(data)) return true;
  report(problem('SIGIL_NOT_AN_ENTRY', where, { value: describe(data) }));
  return false;
}

function describe(data: unknown): string {
  if (!isObject(data)) return nameValue(data);
  const { kind } = data;
  return `${nameValue(data)} ${kind === undefined ? 'without a kind' : `of the kind ${nameValue(kind)}`}`;
}

/** The argument of `registry.add(...)`. */
export function describePlace(data: unknown): string {
  return nameValue(isObject(data) && typeof data['name'] === 'string' ? data['name'] : data);
}

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
