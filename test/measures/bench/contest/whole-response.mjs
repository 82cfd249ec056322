/** HTTP responses out of the chunks of a connection, with as little work as finds their end. */

/** A response at a time. */
export class WholeResponse {
  #held;

  /** @returns the response, once its last byte is there */
  push(chunk) {
    this.#held = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    const response = readResponse(this.#held);
    if (response !== undefined) this.#held = undefined;
    return response;
  }
}

function readResponse(bytes) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.latin1Slice(0, end + 2);
  const body = /\r\ntransfer-encoding: *chunked/i.test(head)
    ? readPieces(bytes, end + 4)
    : readLength(bytes, end + 4, Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0));
  return body && { status: Number(head.slice(9, 12)), head, body };
}

function readLength(bytes, start, length) {
  return bytes.length < start + length ? undefined : bytes.subarray(start, start + length);
}

function readPieces(bytes, start) {
  const pieces = [];
  for (let at = start; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const [from, length] = [line + 2, parseInt(bytes.latin1Slice(at, line), 16)];
    if (bytes.length < from + length + 2) return undefined;
    if (length === 0) return pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces.push(bytes.subarray(from, from + length));
    at = from + length + 2;
  }
}
