/** Text -> JSON, also where it is none. */
import type { JsonObject, JsonValue } from '@sigil-mcp/protocol';

/** The value of a JSON text; undefined if it is no JSON. */
export function readJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Whether a JSON value is an object with members, which no array is. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value whose members are looked at: what is no object has none. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
