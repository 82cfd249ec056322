/** Documents of an issuer. */

/** Milliseconds that an issuer has to answer. */
const PATIENCE = 5000;

/** How long a document may be: sets of keys are some thousands of bytes. */
const MOST_BYTES = 1024 * 1024;

/** What came instead of a document. */
export class NoDocument extends Error {
  override readonly name = 'NoDocument';

  /** @param status what was answered */
  constructor(
    url: string,
    readonly status: number,
    what = String(status),
  ) {
    super(`${url} answered with ${what}.`);
  }
}

/** What is asked with a form in place of a mere address. */
export interface Question {
  readonly form: URLSearchParams;
  /** The header of that name; none if left out. */
  readonly authorization?: string | undefined;
}

/**
 * Fetches a JSON document; where it is told to look elsewhere it does not. Rejects with `NoDocument`, or with what `fetch` does; never
 * with a word of what was asked.
 */
export async function fetchJson(url: string, question?: Question): Promise<unknown> {
  const { form: body, authorization } = question ?? {};
  const headers = { accept: 'application/json', ...(authorization !== undefined && { authorization }) };
  const asked = body ? { method: 'POST', body } : {};
  const response = await fetch(url, { ...asked, headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
  if (response.ok) return JSON.parse(await readText(url, response));
  await response.body?.cancel();
  throw new NoDocument(url, response.status);
}

/** The body, as far as anybody has to believe that it is one. */
async function readText(url: string, { body, status }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // A loop that is left cancels what is left of the body.
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > MOST_BYTES) throw new NoDocument(url, status, `more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
