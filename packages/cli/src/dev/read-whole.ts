/** The body of a request, which a program on the same machine or any web page may have sent. */
import type { IncomingMessage } from 'node:http';

/** Bytes of a body that is read; several times what a server takes by itself, which has a limit of its own. */
export const MOST_BODY = 64 * 1024 * 1024;

/**
 * Reads a body to its end.
 * @returns `too large` as soon as it is longer than `MOST_BODY`, undefined where the client hung up before its end
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
