/** Reads JSON text that may be invalid. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';

/** The value of a JSON text; undefined if it is not valid JSON. */
export function readJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** A value as an object: any other value becomes an empty object. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
