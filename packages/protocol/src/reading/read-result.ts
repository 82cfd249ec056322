/** Reads results: checks that the members that the schema requires are there and of the right type. Results are never copied. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import { readString, throwInvalid } from './read-members';

const AT = 'result';

/** Checks one member of an object. Throws `ProtocolError('invalid-params')` naming it. */
export type CheckMember = (object: JsonObject, member: string, at: string) => unknown;

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

/** An array of objects, each of which has these members as strings. */
export function listOf(...strings: readonly string[]): CheckMember {
  return (object, member, at) => {
    const items = object[member];
    if (!Array.isArray(items)) return throwInvalid(at, member, 'an array');
    for (const [index, item] of (items as readonly JsonValue[]).entries()) {
      if (!isObject(item)) return throwInvalid(at, `${member}[${index}]`, 'an object');
      for (const name of strings) readString(item, name, `${at}.${member}[${index}]`);
    }
  };
}

/** An array of strings. */
export const strings: CheckMember = (object, member, at) => {
  const items = object[member];
  return Array.isArray(items) && items.every((item) => typeof item === 'string')
    ? items
    : throwInvalid(at, member, 'an array of strings');
};
