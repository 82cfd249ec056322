/** JSON objects in JavaScript. */
import type { JsonObject, JsonValue } from '../json/json-value';

/** Whether a value is an object and no array; an instance of a class is one, too. */
export function isObject(value: JsonValue | undefined): value is JsonObject;
export function isObject(value: unknown): value is Readonly<Record<string, unknown>>;
export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
