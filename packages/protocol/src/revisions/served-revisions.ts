/** The revisions that one server serves, in the order in which they are looked up. */
import type { Revision } from './revision';

/** The parts of a set of revisions. */
type Found = Pick<ServedRevisions, 'handshake' | 'perRequest' | 'newestHandshake' | 'newestPerRequest'>;

/** Revisions in the order of their dates, at least one of each lifecycle. */
export class ServedRevisions {
  /** Those that are negotiated with `initialize`, oldest first. */
  readonly handshake: readonly Revision[];
  /** Those whose requests are complete in themselves, oldest first. */
  readonly perRequest: readonly Revision[];
  /** The counter-offer to a client that asks for a revision that is not served. */
  readonly newestHandshake: Revision;
  readonly newestPerRequest: Revision;

  private constructor({ handshake, perRequest, newestHandshake, newestPerRequest }: Found) {
    this.handshake = handshake;
    this.perRequest = perRequest;
    this.newestHandshake = newestHandshake;
    this.newestPerRequest = newestPerRequest;
  }

  /** @returns the set, or the lifecycles that none of the revisions has */
  static of(revisions: readonly Revision[]): ServedRevisions | readonly Revision['lifecycle'][] {
    const sorted = [...revisions].sort((one, other) => (one.version < other.version ? -1 : 1));
    const handshake = sorted.filter(({ lifecycle }) => lifecycle === 'handshake');
    const perRequest = sorted.filter(({ lifecycle }) => lifecycle === 'per-request');
    const newestHandshake = handshake.at(-1);
    const newestPerRequest = perRequest.at(-1);
    if (newestHandshake && newestPerRequest)
      return new ServedRevisions({ handshake, perRequest, newestHandshake, newestPerRequest });
    return [...(newestHandshake ? [] : ['handshake' as const]), ...(newestPerRequest ? [] : ['per-request' as const])];
  }
}
