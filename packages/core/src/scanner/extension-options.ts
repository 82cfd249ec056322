/** The options of an entry that extensions add -> the facts that they stand for. */
import { isObject, type ErrorWords } from '@sigil-mcp/base';
import type { FactValue, FactValues } from '../context/fact-values';
import { groupFacts } from '../context/fact-values';
import type { EntryOption } from '../extensions/entry-option';
import { reportMember, type Member, type Scan } from '../members/member';
import type { RulesOf } from '../kinds/all-kinds';

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
