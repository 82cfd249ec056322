/** The port of a watch on sources: what it tells of them. */

/** Told in this order: `changed`, then `failed` or `built`; again for each change. */
export interface SourceEvents {
  /** A source has changed, and what comes of it is not known yet. */
  changed(): void;
  /** @param description what the compiler says, for people */
  failed(description: string): void;
  /** @param program the file to run */
  built(program: string): void;
  /** Changes will be missed. @param problem why, and how to fix it, in one sentence */
  missing(problem: string): void;
}

/** A watch that goes on until it is closed. */
export interface SourceWatch {
  close(): Promise<void>;
}
