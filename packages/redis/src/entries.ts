/** Reads answers of Redis. */

/** An entry of a stream: its id, and its fields and values in turn. */
export interface StreamEntry {
  readonly id: string;
  readonly words: readonly string[];
}

/** Reads a text, also from a client that returns bytes; undefined for any other value, such as null. */
export function readText(reply: unknown): string | undefined {
  return typeof reply === 'string' || Buffer.isBuffer(reply) ? reply.toString() : undefined;
}

/** Reads the answer of XRANGE. Its format is trusted, because it comes from Redis. */
export function readStreamEntries(reply: unknown): readonly StreamEntry[] {
  const entries = reply as readonly (readonly [unknown, readonly unknown[]])[];
  return entries.map(([id, words]) => ({ id: readText(id) ?? '', words: words.map((word) => readText(word) ?? '') }));
}
