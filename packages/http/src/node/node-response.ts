/** Sends a response of the port as a response of Node. */
import type { ServerResponse } from 'node:http';
import type { HttpResponse } from '../port';
import { answerBare } from './bare-answer';
import type { Connections } from './connections';
import { sendEvents, swallowErrors } from './event-writer';

/** Sends a response with more headers. Headers that a framework has set on it before are sent, too. */
export function sendResponse(
  response: ServerResponse,
  answer: HttpResponse,
  more: Readonly<Record<string, string>>,
  connections: Connections,
): void {
  const { body } = answer;
  const headers = { ...answer.headers, ...more };
  if (typeof body === 'object' && 'open' in body) return sendEvents(response, headers, answer, body);
  swallowErrors(response);
  connections.inTurn(response, () => {
    try {
      const length = body === undefined ? 0 : Buffer.byteLength(body);
      const isSized = answer.status !== 204 && response.req.method !== 'HEAD';
      response.writeHead(answer.status, { ...headers, ...(isSized && { 'content-length': length }) }).end(body);
    } catch (error) {
      if (!answer.failed) throw error;
      answerBare(response, answer.failed(error));
    }
  });
  // What waits for its turn takes memory as well.
  if (body !== undefined) answer.sent?.(response.writableEnded ? response.writableLength : body.length);
}
