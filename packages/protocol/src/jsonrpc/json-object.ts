/** Distinguishes JSON objects from other JSON values. */
import type { JsonObject } from './message';

/**
 * A noun of the model as the JSON that it is by construction; interfaces merely lack the index signature that would
 * let the compiler see it.
 */
export function asJsonObject(noun: object): JsonObject {
  return noun as JsonObject; // the one place where a noun becomes JSON
}
