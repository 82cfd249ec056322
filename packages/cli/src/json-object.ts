/** Whether a value from outside is a JSON object: asked of schemas, messages, manifests and modules. */

/** Any object with keys; nothing about its members has been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with keys, which no array is. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
