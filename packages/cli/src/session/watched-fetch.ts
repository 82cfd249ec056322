/** A `fetch` that records the last answer of a server, to explain why it is not an MCP server. */
import { types } from 'node:util';
import { codeOf } from '../failure';
import { readRefusal, type HttpRefusal } from './http-refusal';

/** The last result of a request to the server. */
export interface HttpEvidence {
  status?: number;
  contentType?: string;
  /** The last refusal of a message. */
  refusal?: HttpRefusal;
  /** The error code of the system or of the HTTP client, such as ECONNREFUSED. */
  networkError?: string;
  /** Called if the network failed. */
  onNetworkError?: () => void;
}

/**
 * Wraps `fetch`.
 * @param evidence is updated with each response
 */
export function watchedFetch(evidence: HttpEvidence): typeof fetch {
  return async (input, init) => {
    try {
      const response = await fetch(input, init);
      evidence.status = response.status;
      evidence.contentType = response.headers.get('content-type') ?? '';
      delete evidence.networkError;
      if (response.ok || init?.method !== 'POST') return watchedBody(response, evidence);
      const refused = await readRefusal(response);
      evidence.refusal = refused.refusal;
      return refused.response;
    } catch (error) {
      note(error, evidence);
      throw error;
    }
  };
}

/** A stream that breaks off means that the server has died; the official client would wait for its rest for ever. */
function watchedBody(response: Response, evidence: HttpEvidence): Response {
  if (response.body === null || !evidence.contentType?.includes('text/event-stream')) return response;
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        note(error, evidence);
        controller.error(error);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return new Response(body, response);
}

function note(error: unknown, evidence: HttpEvidence): void {
  const { cause } = types.isNativeError(error) ? error : {};
  const known = codeOf(cause) ?? (types.isNativeError(cause) ? cause.message : undefined);
  if (known === undefined) return;
  evidence.networkError = known;
  evidence.onNetworkError?.();
}
