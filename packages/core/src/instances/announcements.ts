/** The text format in which the instances of a server announce changes to each other. */
import type { Announcement, NamedEntry } from '../kernel/change-listeners';
import { isEntryKind } from '../kinds/list-changes';
import { isListChange } from './list-digests';
import { parseJson } from '../values/parse-json';
import { isObject } from '@sigil-mcp/base';
import type { ExtensionNotification } from '@sigil-mcp/protocol';

/** The most entries that are named: if more have changed at once, all clients are notified. */
const MOST_ENTRIES = 100;

/** Writes an announcement, with a number by which its sender recognizes it. */
export function writeAnnouncement({ change, entries }: Announcement, from: string, number: number): string {
  const named = entries && entries.length <= MOST_ENTRIES ? entries : undefined;
  return JSON.stringify({ from, number, ...change, entries: named });
}

/** An announcement as it was read, and its sender. */
export interface ReadAnnouncement extends Announcement {
  readonly from: unknown;
  readonly number: unknown;
}

/** Reads an announcement; undefined if it is not valid, as the announcement of another version of a server may be. */
export function readAnnouncement(text: string): ReadAnnouncement | undefined {
  const said = parseJson(text);
  if (!isObject(said)) return undefined;
  const { method, uri, from, number } = said;
  if (isListChange(method)) return { change: { method }, entries: entriesOf(said['entries']), from, number };
  if (method === 'notifications/resources/updated')
    return typeof uri === 'string' ? { change: { method, uri }, from, number } : undefined;
  const change = readExtensionNotification(said);
  return change && { change, from, number };
}

/** Undefined also for a format that this version does not know: then all clients are notified. */
function entriesOf(value: unknown): readonly NamedEntry[] | undefined {
  return Array.isArray(value) && value.every(isNamedEntry) ? value : undefined;
}

function isNamedEntry(value: unknown): value is NamedEntry {
  return Array.isArray(value) && isEntryKind(value[0]) && typeof value[1] === 'string';
}

/** Reads one; undefined for any other value. */
function readExtensionNotification(read: Readonly<Record<string, unknown>>): ExtensionNotification | undefined {
  const { method, extension, notification, params, principal, subject } = read;
  if (method !== 'extension' || typeof extension !== 'string' || typeof notification !== 'string') return undefined;
  if (typeof params !== 'object' || params === null) return undefined;
  return {
    method,
    extension,
    notification,
    params,
    principal: typeof principal === 'string' ? principal : undefined,
    subject: typeof subject === 'string' ? subject : undefined,
  };
}
