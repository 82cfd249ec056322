/** The body of a request over HTTP: with the ids that the server knows, or refused because of its size. */
import type { ServerResponse } from 'node:http';
import { ERROR_CODES, writeError } from '@sigil-mcp/protocol';
import type { HttpSession } from './http-session';
import { isResponse, rewriteEach, type MessageShape } from './message-shape';
import { MOST_BODY } from './read-whole';

/** The body with the server's own ids in the answers of the client; undefined if no answer is expected. */
export function answersOf(
  messages: readonly MessageShape[],
  { questions }: HttpSession,
  body: Buffer,
): Buffer | undefined {
  if (!messages.some(isResponse)) return body;
  const [text] = rewriteEach(body.toString('utf8'), (message, own) => {
    if (!isResponse(message)) return [own];
    const restored = questions.restore(message);
    return restored === undefined ? [] : [restored];
  });
  return text === undefined ? undefined : Buffer.from(text);
}

/** 413; the rest of the body is not read. */
export function refuseBody(response: ServerResponse): void {
  const message = `The body is larger than ${MOST_BODY} bytes.`;
  const text = writeError(undefined, { code: ERROR_CODES['invalid-request'], message });
  response.writeHead(413, { 'content-type': 'application/json', connection: 'close' });
  response.end(text, () => response.destroy());
}
