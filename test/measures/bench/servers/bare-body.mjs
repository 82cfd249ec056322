/** The body of a response, as a server writes it that no framework helps. */
import { OPENING, SERVER_META } from './hand-written.mjs';

/** @param {boolean} stream whether it is an event stream */
export function contentTypeOf(stream) {
  return stream ? 'text/event-stream' : 'application/json; charset=utf-8';
}

/** The answer as JSON, or as the only event of a stream. */
export function bodyOf(answer, stream) {
  const json = JSON.stringify(answer);
  return stream ? `event: message\ndata: ${json}\n\n` : json;
}

/**
 * The least that answers: nothing is looked up, nothing validated. The bytes are those of the server written by hand.
 * @returns the answer, undefined to a notification
 */
export function floorAnswer({ id, method, params }) {
  if (id === undefined) return undefined;
  return { jsonrpc: '2.0', id, result: method === 'initialize' ? OPENING : sumOf(params) };
}

function sumOf({ arguments: { a, b }, _meta }) {
  const sum = a + b;
  const content = [{ type: 'text', text: String(sum) }];
  const structuredContent = { sum };
  return _meta === undefined
    ? { content, structuredContent }
    : { content, structuredContent, resultType: 'complete', _meta: SERVER_META };
}
