/** A cache that follows the headers of the API: `max-age` sets how long a response is fresh, an `ETag` lets it be revalidated. */

/** A cached response. */
export interface Kept {
  readonly body: unknown;
  readonly etag: string | undefined;
  /** When it has to be revalidated, in milliseconds since 1970. */
  readonly freshUntil: number;
}

/** The number of cached responses, so that the cache cannot fill the memory. */
const MOST = 500;

/** The responses of one API by URL; the oldest one is dropped first. */
export class KeptAnswers {
  readonly #answers = new Map<string, Kept>();

  find(url: string): Kept | undefined {
    return this.#answers.get(url);
  }

  /** @param etag the known ETag, in case the headers do not repeat it. @returns the body */
  keep(url: string, headers: Headers, body: unknown, etag?: string): unknown {
    const control = headers.get('cache-control') ?? '';
    const seconds = Number(/max-age=(\d+)/.exec(control)?.[1] ?? 0);
    const known = headers.get('etag') ?? etag;
    this.#answers.delete(url);
    if (control.includes('no-store') || (seconds === 0 && known === undefined)) return body;
    this.#answers.set(url, { body, etag: known, freshUntil: Date.now() + seconds * 1000 });
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MOST && oldest !== undefined) this.#answers.delete(oldest);
    return body;
  }

  forget(url: string): void {
    this.#answers.delete(url);
  }
}
