/** A cache, as far as the API allows it: `max-age` says how long an answer is fresh, an `ETag` that it can be asked about. */

/** An answer that was kept. */
export interface Kept {
  readonly body: unknown;
  readonly etag: string | undefined;
  /** When it has to be asked about again, milliseconds since 1970. */
  readonly freshUntil: number;
}

/** Whatever is asked for, it does not fill the memory. */
const MOST = 500;

/** The answers of one API by their URLs; the one that was kept first is dropped first. */
export class KeptAnswers {
  readonly #answers = new Map<string, Kept>();

  find(url: string): Kept | undefined {
    return this.#answers.get(url);
  }

  /** @param etag where the headers need not repeat it. @returns the body */
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
