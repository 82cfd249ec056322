/** The revisions that one server serves, as those who meet its clients look for them. */
import type { Revision } from './revision';

/** Revisions in the order of their dates, at least one for each way of meeting. */
export class ServedRevisions {
  /** Those that are negotiated with `initialize`, oldest first. */
  readonly handshake: readonly Revision[];
  /** Those whose requests are complete in themselves, oldest first. */
  readonly perRequest: readonly Revision[];
  /** What is offered to whoever asks for one that is not served. */
  readonly newestHandshake: Revision;
  readonly newestPerRequest: Revision;
  readonly #byVersion: ReadonlyMap<string, Revision>;

  /** @throws RangeError where there is none for one of the two ways of meeting */
  constructor(revisions: readonly Revision[]) {
    const sorted = [...revisions].sort((one, other) => (one.version < other.version ? -1 : 1));
    this.handshake = sorted.filter(({ lifecycle }) => lifecycle === 'handshake');
    this.perRequest = sorted.filter(({ lifecycle }) => lifecycle === 'per-request');
    this.newestHandshake = newestOf(this.handshake, 'handshake');
    this.newestPerRequest = newestOf(this.perRequest, 'per-request');
    this.#byVersion = new Map(sorted.map((revision) => [revision.version, revision]));
  }

  /** The revision of this date, where it is served. */
  find(version: string): Revision | undefined {
    return this.#byVersion.get(version);
  }
}

function newestOf(revisions: readonly Revision[], lifecycle: Revision['lifecycle']): Revision {
  const newest = revisions.at(-1);
  if (!newest) throw new RangeError(`Serve at least one revision of the ${lifecycle} kind.`);
  return newest;
}
