/** A chain of records: without the secret, the hashes that follow a changed, removed or moved record cannot be computed. */
import type { AuditKeys } from './audit-keys';
import type { ChainPlace } from './sealed-record';

/** The newest record of a chain. */
export type ChainHead = Pick<ChainPlace, 'sequence' | 'hash'>;

/** Seals records, one after the other. */
export class Chain {
  #sequence = 0;
  #hash = '';

  constructor(private readonly keys: Pick<AuditKeys, 'ofRecord'>) {}

  /** The next record follows this one. */
  continueAfter({ sequence, hash }: ChainHead): void {
    this.#sequence = sequence;
    this.#hash = hash;
  }

  /** @param body a record without its closing brace @returns the line */
  readonly seal = (body: string): string => {
    this.#sequence += 1;
    const text = `${body},"sequence":${this.#sequence},"previous":"${this.#hash}"`;
    this.#hash = this.keys.ofRecord(text);
    return `${text},"hash":"${this.#hash}"}`;
  };
}

/** The line of a record that belongs to no chain. */
export function withoutChain(body: string): string {
  return `${body}}`;
}
