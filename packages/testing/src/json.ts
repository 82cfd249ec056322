/** Reads JSON text that may be invalid. */
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

/** Whether a JSON value is an object with members; an array is not. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as an object: any other value becomes an empty object. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
