/** Checks whether an external value is a JSON object: schemas, messages, manifests and modules. */

/** Any object with keys; its members have not been checked. */
export type LooseObject = Readonly<Record<string, unknown>>;

/** Whether a value is an object with keys; arrays are not. */
export function isJsonObject(value: unknown): value is LooseObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
