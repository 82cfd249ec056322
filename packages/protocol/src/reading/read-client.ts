/** Reads a client's description of itself, from `initialize` or from each request. It is checked, never copied. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '../jsonrpc/message';
import type { ClientCapabilities } from '../model/lifecycle';
import type { Implementation } from '../model/metadata';
import { readObject, readOptionalObject, readOptionalString, readString, throwInvalid } from './read-members';

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
