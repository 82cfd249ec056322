/**
 * `null` for nothing: clients in other languages write it for a member that they leave out. The specification has no null in these places,
 * so it can mean nothing else.
 */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from './message';

/** Members of parameters that may be left out, with the same meaning in every revision. */
const OPTIONAL = ['arguments', 'cursor', '_meta'] as const;

/** The parameters of a message, without members that say nothing; the same object if it has no such member. */
export function withoutNothing(params: JsonValue | undefined): JsonValue | undefined {
  if (params === null) return undefined;
  if (!isObject(params)) return params;
  const { _meta: meta } = params;
  const hasToken = !isObject(meta) || meta['progressToken'] !== null;
  if (hasToken && OPTIONAL.every((name) => params[name] !== null)) return params;
  const written = without(params, OPTIONAL);
  return hasToken || !isObject(meta) ? written : { ...written, _meta: without(meta, ['progressToken']) };
}

function without(members: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name, value]) => value !== null || !names.includes(name)));
}
