/**
 * The kinds of entries and the notifications of their changed lists, for code that needs no more of a kind: the rules in `all-kinds.ts`
 * load everything that compiles entries.
 */
import type { EntryKind } from '../context/entry-facts';
import type { ListChange } from './entry-kind-rules';

/** Kind -> the notification of its changed list. */
export const LIST_CHANGES = {
  tool: 'notifications/tools/list_changed',
  resource: 'notifications/resources/list_changed',
  'resource-template': 'notifications/resources/list_changed',
  prompt: 'notifications/prompts/list_changed',
} as const satisfies Readonly<Record<EntryKind, ListChange>>;

/** Whether a value is the name of a kind. */
export function isEntryKind(value: unknown): value is EntryKind {
  return typeof value === 'string' && Object.hasOwn(LIST_CHANGES, value);
}
