/** Two contracts of a server -> each change, with what it means for clients. */
import type { EntryKind, JsonObject } from '@sigil-mcp/core';
import {
  CONTRACT_KINDS,
  wireOf,
  type ContractEntries,
  type ContractEntry,
  type ServerContract,
} from '../contract/contract-of';
import {
  callableNames,
  compareAliases,
  compareRenamed,
  compareReused,
  compareWords,
  withoutDeprecation,
} from './compare-members';
import { compareDefinitions, compareEntries } from './compare-entries';
import { LEVELS, change, type ContractChange, type EntryChangeFound } from './contract-change';

/**
 * Compares the contract of a server with an earlier one.
 * @returns the changes, the most serious first; none if clients see no difference
 * @example
 * const changes = compareContracts(readContract(text, 'sigil.lock.json'), contractOf(server.describe()));
 * const breaking = changes.filter(({ level }) => level === 'breaking');
 */
export function compareContracts(before: ServerContract, after: ServerContract): readonly ContractChange[] {
  const changes: ContractChange[] = [
    ...compareServers(before, after),
    ...CONTRACT_KINDS.flatMap((kind) => compareKinds(kind, before, after)),
  ];
  return changes.sort((one, other) => LEVELS.indexOf(one.level) - LEVELS.indexOf(other.level));
}

function compareServers(before: ServerContract, after: ServerContract): readonly EntryChangeFound[] {
  const gone = (what: string, old: readonly string[], now: readonly string[]): readonly EntryChangeFound[] => [
    ...old
      .filter((name) => !now.includes(name))
      .map((name) => change('breaking', `${what}-gone`, `the ${what} ${name} is gone`)),
    ...now
      .filter((name) => !old.includes(name))
      .map((name) => change('compatible', `${what}-new`, `the ${what} ${name} is new`)),
  ];
  return [
    ...(before.server.name === after.server.name
      ? []
      : [
          change(
            'compatible',
            'server-name',
            `the server is called ${after.server.name} now (was ${before.server.name})`,
          ),
        ]),
    ...gone('revision', before.revisions, after.revisions),
    ...gone('extension', before.extensions, after.extensions),
    ...compareWords('the text of its instructions', before.instructions, after.instructions),
  ];
}

function compareKinds(kind: EntryKind, before: ServerContract, after: ServerContract): readonly ContractChange[] {
  const [old, now]: readonly [ContractEntries, ContractEntries] = [before.entries[kind], after.entries[kind]];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  const names = callableNames(old, now);
  const compare = (was: ContractEntry, is: ContractEntry): readonly EntryChangeFound[] =>
    compareVersions(kind, [was, before], [is, after]);
  return keys.flatMap((key) => {
    const [was, is] = [own(old, key), own(now, key)];
    const renamed = was && !is ? compareRenamed(key, was, names, compare) : undefined;
    const reused = is && !was ? compareReused(key, is, names, compare) : undefined;
    const found = was && is ? compare(was, is) : (renamed ?? reused ?? [appeared(kind, is !== undefined)]);
    return [...found, ...compareAliases(key, names, compare)].map((each) => ({ ...each, kind, key }));
  });
}

function own(entries: ContractEntries, key: string): ContractEntry | undefined {
  return Object.hasOwn(entries, key) ? entries[key] : undefined;
}

const KIND_WORDS: Readonly<Record<EntryKind, string>> = {
  tool: 'tool',
  resource: 'resource',
  'resource-template': 'resource template',
  prompt: 'prompt',
};

function appeared(kind: EntryKind, isNew: boolean): EntryChangeFound {
  if (isNew) return change('compatible', 'entry-new', `the ${KIND_WORDS[kind]} is new`);
  return change('breaking', 'entry-gone', `the ${KIND_WORDS[kind]} is gone`);
}

/** In the newest revision that both have; in the others, what is not seen there. */
function compareVersions(
  kind: EntryKind,
  [before, old]: readonly [ContractEntry, ServerContract],
  [after, now]: readonly [ContractEntry, ServerContract],
): readonly EntryChangeFound[] {
  const [newest, ...others] = old.revisions.filter((revision) => now.revisions.includes(revision));
  if (newest === undefined) return [];
  const found = compareEntries(
    kind,
    { ...before, definition: itemOf(before, newest, old) },
    { ...after, definition: itemOf(after, newest, now) },
  );
  const known = new Set(found.map(({ text }) => text));
  const older = new Map<string, { readonly found: EntryChangeFound; readonly revisions: string[] }>();
  for (const revision of others) {
    const wires = [itemOf(before, revision, old), itemOf(after, revision, now)] as const;
    for (const each of compareDefinitions(kind, ...wires)) {
      if (known.has(each.text)) continue;
      const seen = older.get(each.text);
      if (seen) seen.revisions.push(revision);
      else older.set(each.text, { found: each, revisions: [revision] });
    }
  }
  return [...found, ...[...older.values()].map(({ found: each, revisions }) => ({ ...each, revisions }))];
}

function itemOf(entry: ContractEntry, revision: string, contract: ServerContract): JsonObject {
  return withoutDeprecation(wireOf(entry, revision, contract), entry);
}
