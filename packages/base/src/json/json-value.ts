/** What JSON can carry. */

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; a member that is `undefined` is left out when it is written. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}

/** Whether a value is an object and no array; an instance of a class is one, too. */
export function isObject(value: JsonValue | undefined): value is JsonObject;

export function isObject(value: unknown): value is Readonly<Record<string, unknown>>;

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value of a JSON text; undefined for a text that is not JSON, as another version of a program may have written it. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives JSON.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
