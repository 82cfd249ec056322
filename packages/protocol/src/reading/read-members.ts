/** Reads single members of parameters, and reports which one is wrong. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import { ProtocolError } from '../jsonrpc/protocol-error';
import type { ClientCapabilities } from '../model/lifecycle';
import type { Implementation } from '../model/metadata';
import { LOG_LEVELS, type LogLevel } from '../model/notifications';

/** Characters of a name that an error repeats. */
const LONGEST_NAME = 200;

/** Throws `invalid-params` with a message such as `params.name must be a string`. */
export function throwInvalid(at: string, member: string, expected: string): never {
  // Names of members may come from outside, too.
  const name = member.length <= LONGEST_NAME ? member : `${member.slice(0, LONGEST_NAME)}…`;
  throw new ProtocolError('invalid-params', `${at}.${name} must be ${expected}`);
}

/** A required string. */
export function readString(object: JsonObject, member: string, at: string): string {
  const value = object[member];
  return typeof value === 'string' ? value : throwInvalid(at, member, 'a string');
}

/** A string that may be absent. */
export function readOptionalString(object: JsonObject, member: string, at: string): string | undefined {
  return object[member] === undefined ? undefined : readString(object, member, at);
}

/** A required object. */
export function readObject(object: JsonObject, member: string, at: string): JsonObject {
  const value = object[member];
  return isObject(value) ? value : throwInvalid(at, member, 'an object');
}

/** An object that may be absent; null is not absent. */
export function readOptionalObject(object: JsonObject, member: string, at: string): JsonObject | undefined {
  return object[member] === undefined ? undefined : readObject(object, member, at);
}

/** An object of strings; empty where it is absent. */
export function readStrings(object: JsonObject, member: string, at: string): Readonly<Record<string, string>> {
  const value = readOptionalObject(object, member, at);
  if (value === undefined) return {};
  const wrong = Object.keys(value).find((name) => typeof value[name] !== 'string');
  if (wrong !== undefined) throwInvalid(`${at}.${member}`, wrong, 'a string');
  return asStrings(value);
}

function asStrings(value: JsonObject): Readonly<Record<string, string>> {
  return value as Readonly<Record<string, string>>; // every member was looked at; a copy could lose `__proto__`
}

/** A level that the protocol knows. @param at where it was found, for the error */
export function readLogLevel(value: JsonValue | undefined, at: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === value);
  if (level === undefined) throw new ProtocolError('invalid-params', `${at} must be one of ${LOG_LEVELS.join(', ')}`);
  return level;
}

// Reads results: checks that the members that the schema requires are there and of the right type. Results are never copied.

const AT = 'result';

/** Checks one member of an object. Throws `ProtocolError('invalid-params')` naming it. */
type CheckMember = (object: JsonObject, member: string, at: string) => unknown;

/**
 * Makes a reader of results.
 * @param members the members that a result must have, or may have with a type, and how each is checked
 */
export function resultReader<R extends object>(
  members: Readonly<Partial<Record<keyof R & string, CheckMember>>>,
): (result: JsonObject) => R {
  const checks = Object.entries<CheckMember | undefined>(members);
  return (result) => {
    for (const [member, check] of checks) check?.(result, member, AT);
    return asResult<R>(result);
  };
}

function asResult<R extends object>(result: JsonObject): R {
  return result as unknown as R; // the members that code relies on were checked
}

/** An array of objects, each of which has these members as strings. @param check looks at more of each */
export function listOf(strings: readonly string[], check?: (item: JsonObject, at: string) => void): CheckMember {
  return (object, member, at) => {
    const items = object[member];
    if (!Array.isArray(items)) return throwInvalid(at, member, 'an array');
    for (const [index, item] of (items as readonly JsonValue[]).entries()) {
      if (!isObject(item)) return throwInvalid(at, `${member}[${index}]`, 'an object');
      for (const name of strings) readString(item, name, `${at}.${member}[${index}]`);
      check?.(item, `${at}.${member}[${index}]`);
    }
  };
}

/** The strings that a block of content has, by its type; those of types that are not known are not looked at. */
const BLOCK_STRINGS: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

/** Checks a block of content. */
export function checkBlock(block: JsonObject, at: string): void {
  const type = readString(block, 'type', at);
  const strings = Object.hasOwn(BLOCK_STRINGS, type) ? BLOCK_STRINGS[type] : undefined;
  for (const name of strings ?? []) readString(block, name, at);
  if (type === 'resource') checkContents(readObject(block, 'resource', at), `${at}.resource`);
}

/** Checks what is under a URI: text, or a base64 blob. */
export function checkContents(contents: JsonObject, at: string): void {
  readString(contents, 'uri', at);
  if (readOptionalString(contents, 'text', at) === undefined) readString(contents, 'blob', at);
}

/** An array of strings. */
export const strings: CheckMember = (object, member, at) => {
  const items = object[member];
  return Array.isArray(items) && items.every((item) => typeof item === 'string')
    ? items
    : throwInvalid(at, member, 'an array of strings');
};

// Reads a client's description of itself, from `initialize` or from each request. It is checked, never copied.

/** Who the client is. @throws ProtocolError `invalid-params` where it is malformed */
export function readImplementation(object: JsonObject, member: string, at: string): Implementation {
  const info = readObject(object, member, at);
  assertImplementation(info, `${at}.${member}`);
  return info;
}

/** What the client can do. @throws ProtocolError `invalid-params` where it is malformed */
export function readCapabilities(object: JsonObject, member: string, at: string): ClientCapabilities {
  const capabilities = readObject(object, member, at);
  assertCapabilities(capabilities, `${at}.${member}`);
  return capabilities;
}

function assertImplementation(info: JsonObject, at: string): asserts info is JsonObject & Implementation {
  readString(info, 'name', at);
  readString(info, 'version', at);
  readOptionalString(info, 'title', at);
  readOptionalString(info, 'description', at);
  readOptionalString(info, 'websiteUrl', at);
  const { icons } = info;
  if (icons !== undefined && !(Array.isArray(icons) && icons.every(isIcon)))
    throwInvalid(at, 'icons', 'an array of icons');
}

function isIcon(icon: unknown): boolean {
  return isObject(icon) && typeof icon['src'] === 'string';
}

function assertCapabilities(value: JsonObject, at: string): asserts value is JsonObject & ClientCapabilities {
  const roots = readOptionalObject(value, 'roots', at);
  if (roots?.['listChanged'] !== undefined && typeof roots['listChanged'] !== 'boolean') {
    throwInvalid(`${at}.roots`, 'listChanged', 'a boolean');
  }
  assertSettings(value, 'sampling', at, ['context', 'tools']);
  assertSettings(value, 'elicitation', at, ['form', 'url']);
  assertSettings(value, 'experimental', at);
  assertSettings(value, 'extensions', at);
}

/** Objects within an object: the named ones, or all. */
function assertSettings(value: JsonObject, capability: string, at: string, names?: readonly string[]): void {
  const settings = readOptionalObject(value, capability, at);
  if (settings === undefined) return;
  for (const name of names ?? Object.keys(settings)) readOptionalObject(settings, name, `${at}.${capability}`);
}
