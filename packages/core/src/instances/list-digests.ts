/** What the lists of a server contain, as short texts that can be compared with those of another version of the server. */
import { createHash } from 'node:crypto';
import type { EntryKind } from '../context/entry-facts';
import { LIST_CHANGES } from '../kinds/list-changes';
import type { ListChange } from '../kinds/entry-kind-rules';
import type { Entry } from '../registry/entry';
import type { Registry } from '../registry/registry';
import { isObject } from '@sigil-mcp/base';

/** A digest for each list, by the notification of its changes. */
export type ListDigests = Readonly<Record<ListChange, string>>;

/** All lists. */
export const LISTS: readonly ListChange[] = [...new Set(Object.values(LIST_CHANGES))];

const KINDS = Object.keys(LIST_CHANGES) as EntryKind[];

/** Whether a value is the notification of a changed list. */
export function isListChange(value: unknown): value is ListChange {
  return LISTS.some((list) => list === value);
}

/** Entries may be added in another order by each process, so the order does not count. */
export function listDigestsOf(registry: Registry): ListDigests {
  const entriesOf = (list: ListChange): Entry[] =>
    KINDS.flatMap((kind) => (LIST_CHANGES[kind] === list ? [...registry.entries(kind)] : []));
  return Object.fromEntries(LISTS.map((list) => [list, digestOf(entriesOf(list))])) as ListDigests;
}

/** Reads digests from another instance; undefined for a format that this version does not know. */
export function readListDigests(value: unknown): ListDigests | undefined {
  return isObject(value) && LISTS.every((list) => typeof value[list] === 'string') ? (value as ListDigests) : undefined;
}

/** The lists that differ. */
export function differingLists(one: ListDigests, other: ListDigests): ListChange[] {
  return LISTS.filter((list) => one[list] !== other[list]);
}

function digestOf(entries: readonly Entry[]): string {
  const texts = entries.map(textOf);
  return createHash('sha256').update(texts.sort().join('\n')).digest('base64url');
}

/** An entry whose metadata cannot be written as JSON counts by its name: this is no reason not to start. */
function textOf({ kind, key, definition, policy }: Entry): string {
  try {
    return JSON.stringify([kind, key, definition, policy.scopes, policy.isPublic]);
  } catch {
    return JSON.stringify([kind, key]);
  }
}
