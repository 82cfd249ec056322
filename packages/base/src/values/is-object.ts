/** JSON objects in JavaScript. */

/** Whether a value is an object and no array; an instance of a class is one, too. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
