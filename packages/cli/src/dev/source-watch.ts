/** Sources that are watched: what happens to them, whoever watches. */

/** Told in this order: `changed`, then `failed` or `built`; again for each change. */
export interface SourceEvents {
  /** A file is another one, and what comes of it is not known yet. */
  changed(): void;
  /** @param description what the compiler says, for people */
  failed(description: string): void;
  /** @param program the file to run */
  built(program: string): void;
}

/** A watch that goes on until it is closed. */
export interface SourceWatch {
  close(): void;
}
