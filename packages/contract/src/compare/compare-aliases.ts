/** Tools that were renamed: whether clients that know an old name can go on calling it. */
import type { ContractEntries, ContractEntry } from '../contract/contract';
import { change, type EntryChangeFound } from './contract-change';

/** An old name, and the tool that answers its calls. */
export interface Alias {
  readonly key: string;
  readonly entry: ContractEntry;
  readonly convertsArguments: boolean;
}

/** The tools before and after, with all names that can be called. */
export interface CallableNames {
  readonly old: ContractEntries;
  readonly now: ContractEntries;
  readonly oldAliases: ReadonlyMap<string, Alias>;
  readonly newAliases: ReadonlyMap<string, Alias>;
}

/** Compares two tools, as far as their calls are concerned. */
type CompareTools = (before: ContractEntry, after: ContractEntry) => readonly EntryChangeFound[];

/** Both sides of a comparison. */
export function callableNames(old: ContractEntries, now: ContractEntries): CallableNames {
  return { old, now, oldAliases: aliasesIn(old), newAliases: aliasesIn(now) };
}

function aliasesIn(entries: ContractEntries): ReadonlyMap<string, Alias> {
  return new Map(
    Object.entries(entries).flatMap(([key, entry]) =>
      Object.entries(entry.replaces ?? {}).map(([name, how]): [string, Alias] => [
        name,
        { key, entry, convertsArguments: how === 'converted arguments' },
      ]),
    ),
  );
}

/** A tool that is gone, but whose name still leads to another one; undefined if it does not. */
export function compareRenamed(
  key: string,
  before: ContractEntry,
  { newAliases }: CallableNames,
  compare: CompareTools,
): readonly EntryChangeFound[] | undefined {
  const alias = newAliases.get(key);
  if (!alias) return undefined;
  return [
    change('compatible', 'entry-renamed', `the tool is called ${alias.key} now; calls of its old name still work`),
    ...ofCalls(compare(before, alias.entry), alias.convertsArguments),
  ];
}

/** A new tool whose name led to another one before; undefined if it did not. */
export function compareReused(
  key: string,
  after: ContractEntry,
  { oldAliases }: CallableNames,
  compare: CompareTools,
): readonly EntryChangeFound[] | undefined {
  const alias = oldAliases.get(key);
  if (!alias) return undefined;
  const words = `${alias.key} converted the arguments of this name, and the new tool takes its own`;
  return [
    change('compatible', 'entry-new', `the tool is new; its name was an old name of ${alias.key}`),
    ...(alias.convertsArguments ? [change('breaking', 'alias-arguments', words)] : []),
    ...ofCalls(compare(alias.entry, after), alias.convertsArguments),
  ];
}

/** The old names of one tool before and after. */
export function compareAliases(key: string, names: CallableNames, compare: CompareTools): readonly EntryChangeFound[] {
  const before = [...names.oldAliases].filter(([, alias]) => alias.key === key);
  const after = [...names.newAliases].filter(([, alias]) => alias.key === key);
  return [
    ...before.flatMap(([name, alias]) => compareAlias(name, alias, names, compare)),
    ...after
      .filter(([name]) => !names.oldAliases.has(name) && !Object.hasOwn(names.old, name))
      .map(([name]) => change('compatible', 'alias-new', `it can be called by the old name ${name}, too`)),
  ];
}

function compareAlias(
  name: string,
  before: Alias,
  { now, newAliases }: CallableNames,
  compare: CompareTools,
): readonly EntryChangeFound[] {
  const after = newAliases.get(name);
  // Compared where the new tool is.
  if (!after && Object.hasOwn(now, name)) return [];
  if (!after) return [change('breaking', 'alias-gone', `it can no longer be called by its old name ${name}`)];
  const isMoved = after.key !== before.key && newAliases.get(before.key)?.key !== after.key;
  const converts = before.convertsArguments || after.convertsArguments;
  return [
    ...compareConversion(name, before, after),
    ...(isMoved ? ofCalls(compare(before.entry, after.entry), converts) : []),
  ];
}

function compareConversion(name: string, before: Alias, after: Alias): readonly EntryChangeFound[] {
  if (before.convertsArguments === after.convertsArguments) return [];
  return after.convertsArguments
    ? [change('compatible', 'alias-arguments', `the arguments of its old name ${name} are converted now`)]
    : [change('breaking', 'alias-arguments', `the arguments of its old name ${name} are no longer converted`)];
}

/** What matters to clients that call: lists show them the new tool, with its own words. */
function ofCalls(changes: readonly EntryChangeFound[], convertsArguments: boolean): readonly EntryChangeFound[] {
  return changes.filter(
    ({ level, code }) =>
      level !== 'compatible' && code !== 'words' && !(convertsArguments && code.startsWith('input-')),
  );
}
