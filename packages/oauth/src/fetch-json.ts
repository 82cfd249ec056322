/** Fetches JSON documents of an issuer. */

/** Milliseconds that an issuer has to answer. */
const PATIENCE = 5000;

/** How long a document may be: sets of keys are some thousands of bytes. */
const MOST_BYTES = 1024 * 1024;

/** The response was not a document. */
export class NoDocument extends Error {
  override readonly name = 'NoDocument';

  /** @param status of the response */
  constructor(
    url: string,
    readonly status: number,
    what = String(status),
  ) {
    super(`${url} answered with ${what}.`);
  }
}

/** A form to send with POST; without it, the document is fetched with GET. */
export interface PostedForm {
  readonly form: URLSearchParams;
  /** The header of that name; none if left out. */
  readonly authorization?: string | undefined;
}

/**
 * Fetches a JSON document; redirects are refused. Rejects with `NoDocument`, or as `fetch` does. The errors never contain the form that was
 * sent.
 */
export async function fetchJson(url: string, question?: PostedForm): Promise<unknown> {
  const { form: body, authorization } = question ?? {};
  const headers = { accept: 'application/json', ...(authorization !== undefined && { authorization }) };
  const asked = body ? { method: 'POST', body } : {};
  const response = await fetch(url, { ...asked, headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
  if (response.ok) return JSON.parse(await readText(url, response));
  await response.body?.cancel();
  throw new NoDocument(url, response.status);
}

/** Reads the body, up to its limit. */
async function readText(url: string, { body, status }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early cancels the rest of the body.
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += part.byteLength;
    if (bytes > MOST_BYTES) throw new NoDocument(url, status, `more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
