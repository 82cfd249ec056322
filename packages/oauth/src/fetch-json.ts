/** Fetches JSON documents of an issuer. */
import { BlockList, isIP } from 'node:net';

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
  const send = (): Promise<Response> =>
    fetch(url, { ...asked, headers, redirect: 'error', signal: AbortSignal.timeout(PATIENCE) });
  // A connection that was idle may have been closed at the other end: a document is asked for once more, a form is not sent twice.
  const response = await (body
    ? send()
    : send().catch((error: unknown) => (wasCutOff(error) ? send() : Promise.reject(error as Error))));
  if (response.ok) return JSON.parse(await readText(url, response));
  await response.body?.cancel();
  throw new NoDocument(url, response.status);
}

/** Whether a connection broke that had been opened before. */
function wasCutOff(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : undefined;
  return (
    cause !== undefined && 'code' in cause && ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(String(cause.code))
  );
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

// Hosts that are not on the open network. A client that can name one to this server could make the server call what only it can reach.
// @see https://www.rfc-editor.org/rfc/rfc6890

const PRIVATE = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of [
  ['::', 96],
  ['::ffff:0:0', 96],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const)
  PRIVATE.addSubnet(network, prefix, 'ipv6');

/** Names that resolve only to the local machine or network. */
const NAMES = /^(?:localhost|.+\.(?:localhost|local|internal|intranet|lan|home\.arpa))$/;

/**
 * Whether a host is private.
 * @param host as `URL` normalizes it: a version 4 address always has the same form there
 */
export function isPrivateHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  const address = name.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(address);
  if (version === 0) return NAMES.test(name) || !name.includes('.');
  return PRIVATE.check(address, version === 6 ? 'ipv6' : 'ipv4');
}
