/** The body of a response, as a server writes it that no framework helps. */

/** @param {boolean} stream whether it is an event stream */
export function contentTypeOf(stream) {
  return stream ? 'text/event-stream' : 'application/json; charset=utf-8';
}

/** The answer as JSON, or as the only event of a stream. */
export function bodyOf(answer, stream) {
  const json = JSON.stringify(answer);
  return stream ? `event: message\ndata: ${json}\n\n` : json;
}
