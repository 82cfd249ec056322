/** The entry of a server that is installed again: what the user or the application has added to it stays. */
import { isObject } from '@sigil-mcp/base';
import { isSecretName } from '@sigil-mcp/cli/kit';
import type { SettingsEntry } from './client';

/** The members that say where a server is; an entry has those of one kind. */
const PROGRAM = ['command', 'args', 'cmd'];
const ADDRESS = ['url', 'serverUrl', 'httpUrl', 'uri'];
/** The members that only a server of the kind has. */
const OF_PROGRAM = [...PROGRAM, 'cwd', 'env_vars', 'env_keys', 'source'];
const HEADERS = ['headers', 'http_headers', 'env_http_headers'];
const TOKEN = 'bearer_token_env_var';
const OF_ADDRESS = [...ADDRESS, ...HEADERS, TOKEN, 'requestOptions'];
/** What a new entry says unless the one that is there says otherwise. */
const DEFAULTS: ReadonlySet<string> = new Set(['enabled', 'timeout']);

/**
 * The new entry with everything of the old one that it does not decide: members in their order, variables and headers. Where the server has
 * moved to another host, the credentials for the old one go.
 */
export function mergedEntry(before: SettingsEntry | undefined, entry: SettingsEntry): SettingsEntry {
  if (!before) return entry;
  const isProgram = PROGRAM.some((name) => Object.hasOwn(entry, name));
  const gone = new Set<string>([...(isProgram ? OF_ADDRESS : OF_PROGRAM), ...(isProgram ? PROGRAM : ADDRESS)]);
  if (!isSameKind(before, isProgram)) gone.add('type');
  const moved = !isProgram && originOf(before) !== originOf(entry);
  const kept = Object.entries(before).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(entry, name) && gone.has(name)) return [];
    return moved && (name === TOKEN || isHeaders(name)) ? withoutCredentials(name, value) : [[name, value]];
  });
  const members = new Map(kept);
  for (const [name, value] of Object.entries(entry)) {
    const old = members.get(name);
    if (!DEFAULTS.has(name) || old === undefined) members.set(name, together(name, old, value));
  }
  return Object.fromEntries(members);
}

/** The variables, the headers or the names of both entries; the new value of any other member. */
function together(name: string, old: unknown, value: unknown): unknown {
  if (name === 'env_vars' && Array.isArray(old) && Array.isArray(value))
    return [...new Set([...(old as unknown[]), ...(value as unknown[])])];
  if (!isObject(old) || !isObject(value) || Array.isArray(value)) return value;
  if (name === 'requestOptions') return { ...old, headers: together('headers', old['headers'], value['headers']) };
  return { ...(isHeaders(name) ? withoutNames(old, Object.keys(value)) : old), ...value };
}

/** Headers without those that are written again in other letters. */
function withoutNames(headers: SettingsEntry, names: readonly string[]): SettingsEntry {
  const again = new Set(names.map((name) => name.toLowerCase()));
  const rest = Object.entries(headers).filter(([name]) => names.includes(name) || !again.has(name.toLowerCase()));
  return Object.fromEntries(rest);
}

/** @returns no member if nothing is left of it */
function withoutCredentials(name: string, value: unknown): [string, unknown][] {
  if (!isObject(value)) return [];
  const rest = Object.entries(value).flatMap(([header, inner]): [string, unknown][] => {
    if (isHeaders(header)) return withoutCredentials(header, inner);
    return isSecretName(header.replaceAll('-', '_')) || /authorization|cookie/i.test(header) ? [] : [[header, inner]];
  });
  return rest.length === 0 ? [] : [[name, Object.fromEntries(rest)]];
}

function isHeaders(name: string): boolean {
  return HEADERS.includes(name) || name === 'requestOptions';
}

function isSameKind(entry: SettingsEntry, isProgram: boolean): boolean {
  return (isProgram ? PROGRAM : ADDRESS).some((name) => Object.hasOwn(entry, name));
}

function originOf(entry: SettingsEntry): string | undefined {
  const address = ADDRESS.map((name) => entry[name]).find((value) => typeof value === 'string');
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}
