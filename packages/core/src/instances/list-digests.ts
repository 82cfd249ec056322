/** What the lists of a server contain, as short texts that can be compared with those of another version of the server. */
import { createHash } from 'node:crypto';
import type { EntryKind } from '../context/entry-facts';
import { LIST_CHANGES, type ListChange } from '../kernel/change-listeners';
import type { Entry } from '../registry/entry';
import type { Registry } from '../registry/registry';
import { isObject } from '@sigil-mcp/base';

/** A digest for each list, by the notification of its changes. */
export type ListDigests = Readonly<Record<ListChange, string>>;

const KINDS: Readonly<Record<ListChange, readonly EntryKind[]>> = {
  'notifications/tools/list_changed': ['tool'],
  'notifications/resources/list_changed': ['resource', 'resource-template'],
  'notifications/prompts/list_changed': ['prompt'],
};

/** All lists. */
export const LISTS = [...new Set(Object.values(LIST_CHANGES))];

/** Entries may be added in another order by each process, so the order does not count. */
export function listDigestsOf(registry: Registry): ListDigests {
  const digests = LISTS.map((list) => [list, digestOf(KINDS[list].flatMap((kind) => [...registry.entries(kind)]))]);
  return Object.fromEntries(digests) as ListDigests;
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
