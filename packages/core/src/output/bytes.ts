/** Binary data and its base64. */

/** What handlers return for binary data; a `Buffer` is one. */
export type Bytes = Uint8Array;

/** Whether a value is binary data. */
export function isBytes(value: unknown): value is Bytes {
  return value instanceof Uint8Array;
}

/** Bytes -> base64; text is taken as base64 already. */
export function toBase64(data: Bytes | string): string {
  if (typeof data === 'string') return data;
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}
