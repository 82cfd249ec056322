/** Reads the body of a response, as far as it is not too long. */
import { clientError } from '../errors';

/** Characters: more than any message of a sensible server, and less than the memory of a client. */
export const LONGEST_MESSAGE = 64 * 1024 * 1024;

/** The text of a body. @throws SigilError `SIGIL_CLIENT_LONG_MESSAGE` */
export async function readText(response: Response): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    // The body of a response is bytes.
    const bytes = chunk as Uint8Array;
    length += bytes.length;
    if (length > LONGEST_MESSAGE) throw clientError('SIGIL_CLIENT_LONG_MESSAGE', { limit: LONGEST_MESSAGE });
    parts.push(decoder.decode(bytes, { stream: true }));
  }
  return parts.join('') + decoder.decode();
}
