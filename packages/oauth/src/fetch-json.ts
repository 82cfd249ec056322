/** Documents of an issuer. */

/** Milliseconds that an issuer has to answer. */
const PATIENCE = 5000;

/** What came instead of a document. */
export class NoDocument extends Error {
  override readonly name = 'NoDocument';

  /** @param status what was answered */
  constructor(
    url: string,
    readonly status: number,
  ) {
    super(`${url} answered with ${status}.`);
  }
}

/** Fetches a JSON document; where it is told to look elsewhere it does not. Rejects with `NoDocument`, or with what `fetch` does. */
export async function fetchJson(url: string): Promise<unknown> {
  const headers = { accept: 'application/json' };
  const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
  if (response.ok) return response.json();
  await response.body?.cancel();
  throw new NoDocument(url, response.status);
}
