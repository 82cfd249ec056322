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
