/** What instances of a server tell each other of its changes, as texts. */
import type { EntryKind } from '../context/entry-facts';
import type { Announcement, NamedEntry } from '../kernel/change-listeners';
import { isObject } from '../values/plain-object';

/** Entries that are named, at most: where more have changed at once everybody is told. */
const MOST_ENTRIES = 100;

/** Writes an announcement, which its sender recognises by a number. */
export function writeAnnouncement({ change, entries }: Announcement, from: string, number: number): string {
  const named = entries && entries.length <= MOST_ENTRIES ? entries : undefined;
  return JSON.stringify({ from, number, ...change, entries: named });
}

/** What was read: the announcement, and whose it is. */
export interface ReadAnnouncement extends Announcement {
  readonly from: unknown;
  readonly number: unknown;
}

/** Reads an announcement; undefined for what is none, as another version of a server may say it. */
export function readAnnouncement(text: string): ReadAnnouncement | undefined {
  const said = parse(text);
  if (!isObject(said)) return undefined;
  const { method, uri, from, number } = said;
  switch (method) {
    case 'notifications/tools/list_changed':
    case 'notifications/prompts/list_changed':
    case 'notifications/resources/list_changed':
      return { change: { method }, entries: entriesOf(said['entries']), from, number };
    case 'notifications/resources/updated':
      return typeof uri === 'string' ? { change: { method, uri }, from, number } : undefined;
    default:
      return undefined;
  }
}

/** Undefined also where something stands there that this version does not know: everybody is told then. */
function entriesOf(value: unknown): readonly NamedEntry[] | undefined {
  return Array.isArray(value) && value.every(isNamedEntry) ? value : undefined;
}

function isNamedEntry(value: unknown): value is NamedEntry {
  return Array.isArray(value) && isEntryKind(value[0]) && typeof value[1] === 'string';
}

function isEntryKind(value: unknown): value is EntryKind {
  return value === 'tool' || value === 'prompt' || value === 'resource' || value === 'resource-template';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
