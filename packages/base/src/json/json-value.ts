/** What JSON can carry. */

/** Any value that JSON can carry. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object; a member that is `undefined` is left out when it is written. */
export interface JsonObject {
  readonly [member: string]: JsonValue | undefined;
}
