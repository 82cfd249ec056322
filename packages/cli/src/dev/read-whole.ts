/** The body of a request, which may come from any local program or web page. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERROR_CODES, writeError } from '@sigil-mcp/protocol';

/** The largest body that is read, in bytes: several times the default limit of a server, which checks its own limit. */
const MOST_BODY = 64 * 1024 * 1024;

/**
 * Reads a body to its end.
 * @returns `too large` as soon as it is longer than `MOST_BODY`, undefined if the client disconnected before its end
 */
export async function readWhole(request: IncomingMessage): Promise<Buffer | 'too large' | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MOST_BODY) return 'too large';
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of request) {
      chunks.push(chunk as Buffer); // no encoding is set
      length += (chunk as Buffer).length;
      if (length > MOST_BODY) return 'too large';
    }
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks);
}

/** Answers 413; the rest of the body is not read. */
export function refuseBody(response: ServerResponse): void {
  const message = `The body is larger than ${MOST_BODY} bytes.`;
  const text = writeError(undefined, { code: ERROR_CODES['invalid-request'], message });
  response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
  response.end(text, () => response.destroy());
}
