/** Reads no more of a response than where it ends and whether it is good: what measures has to cost less than what is measured. */

/** Knows when a response is complete, by its length or by the last chunk. */
export class ResponseReader {
  constructor() {
    this.reset();
  }

  reset() {
    this.bytes = 0;
    this.length = undefined;
    this.head = '';
    this.tail = '';
    this.isOk = false;
  }

  push(chunk) {
    this.bytes += chunk.length;
    if (this.length === undefined) this.#readHead(chunk);
    if (this.length === undefined) return false;
    if (this.length >= 0) return this.bytes >= this.length;
    this.tail = (this.tail + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7);
    return this.tail.endsWith('0\r\n\r\n');
  }

  #readHead(chunk) {
    this.head += chunk.toString('latin1', 0, 2048);
    const end = this.head.indexOf('\r\n\r\n');
    if (end < 0) return;
    this.isOk = this.head.startsWith('HTTP/1.1 200');
    const length = /content-length: (\d+)/i.exec(this.head);
    this.length = length ? end + 4 + Number(length[1]) : -1;
  }
}
