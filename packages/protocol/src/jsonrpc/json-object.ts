/** Distinguishes JSON objects from other JSON values. */
import type { JsonObject } from './message';

/** Whether a parsed JSON value is an object: neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A noun of the model as the JSON that it is by construction; interfaces merely lack the index signature that would
 * let the compiler see it.
 */
export function asJsonObject(noun: object): JsonObject {
  return noun as JsonObject; // the one place where a noun becomes JSON
}
