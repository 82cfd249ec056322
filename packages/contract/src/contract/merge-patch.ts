/** JSON merge patches (RFC 7396): what of one object is different in another. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from '@sigil-mcp/core';
import { canonicalText } from '../schema/canonical-text';

/** The patch that makes `to` of `from`; undefined if a member of `to` is null, which no patch can say. */
export function mergePatch(from: JsonObject, to: JsonObject): JsonObject | undefined {
  const patch = patchOf(from, to);
  return canonicalText(patched(from, patch)) === canonicalText(to) ? patch : undefined;
}

/** An object with the changes of a patch. */
export function patched(from: JsonObject, patch: JsonObject): JsonObject {
  const result = new Map(Object.entries(from));
  for (const [name, value] of Object.entries(patch)) {
    const known = from[name];
    if (value === null) result.delete(name);
    else result.set(name, isObject(value) ? patched(isObject(known) ? known : {}, value) : value);
  }
  return Object.fromEntries(result);
}

function patchOf(from: JsonObject, to: JsonObject): JsonObject {
  const gone = Object.keys(from).filter((name) => !Object.hasOwn(to, name));
  const changed = Object.entries(to).filter(([name, value]) => canonicalText(from[name]) !== canonicalText(value));
  return {
    ...Object.fromEntries(gone.map((name) => [name, null])),
    ...Object.fromEntries(changed.map(([name, value]) => [name, partOf(from[name], value)])),
  };
}

function partOf(from: JsonValue | undefined, to: JsonValue | undefined): JsonValue | undefined {
  return isObject(from) && isObject(to) ? patchOf(from, to) : to;
}
