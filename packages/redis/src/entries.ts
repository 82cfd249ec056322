/** Answers of Redis, as programs read them. */

/** An entry of a stream: its id, and its fields and values in turn. */
export interface Entry {
  readonly id: string;
  readonly words: readonly string[];
}

/** Reads a text, also of a client that is set up for bytes; undefined for anything else, null above all. */
export function readText(reply: unknown): string | undefined {
  return typeof reply === 'string' || Buffer.isBuffer(reply) ? reply.toString() : undefined;
}

/** Reads the answer of XRANGE. Redis alone writes it. */
export function readEntries(reply: unknown): readonly Entry[] {
  const entries = reply as readonly (readonly [unknown, readonly unknown[]])[];
  return entries.map(([id, words]) => ({ id: readText(id) ?? '', words: words.map((word) => readText(word) ?? '') }));
}
