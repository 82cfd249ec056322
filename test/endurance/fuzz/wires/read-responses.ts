/** From the bytes of a connection to responses, pipelined ones and unfinished ones too. */

/** One response, as far as it has come. */
export interface RawResponse {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  body: string;
  isComplete: boolean;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

/** Reads the responses of one connection. */
export class ResponseReader {
  readonly responses: RawResponse[] = [];
  /** Why what came is no HTTP. */
  problem: string | undefined;
  #bytes: Buffer = Buffer.alloc(0);
  #current:
    | { response: RawResponse; left: number | 'chunked' | 'until the end'; pieces: InstanceType<typeof TextDecoder> }
    | undefined;

  /** @param onNews called when a response has begun, grown or ended */
  constructor(private readonly onNews: (response: RawResponse) => void) {}

  push(bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    while (this.problem === undefined && (this.#current ? this.#readBody() : this.#readHead()));
  }

  /** The connection is over. */
  end(): void {
    if (this.#current?.left === 'until the end') this.#complete();
  }

  #readHead(): boolean {
    const end = this.#bytes.indexOf(HEAD_END);
    if (end < 0) return false;
    const [first = '', ...lines] = this.#bytes.subarray(0, end).toString('latin1').split('\r\n');
    const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]);
    if (!status) return this.#fail(first);
    this.#bytes = this.#bytes.subarray(end + HEAD_END.length);
    // "Go on" announces a response and is none.
    if (status === 100) return true;
    const headers = new Map(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const response: RawResponse = { status, headers, body: '', isComplete: false };
    this.responses.push(response);
    this.#current = { response, left: lengthOf(status, headers), pieces: new TextDecoder('utf-8', { fatal: true }) };
    this.onNews(response);
    return true;
  }

  #readBody(): boolean {
    const { left } = this.#current ?? { left: 0 };
    if (left === 0) return this.#complete();
    if (left === 'chunked') return this.#readChunk();
    if (this.#bytes.length === 0) return false;
    const piece = left === 'until the end' ? this.#bytes : this.#bytes.subarray(0, left);
    this.#take(piece, piece.length);
    if (this.#current && typeof left === 'number') this.#current.left = left - piece.length;
    return true;
  }

  #readChunk(): boolean {
    const end = this.#bytes.indexOf(LINE_END);
    if (end < 0) return false;
    const size = Number.parseInt(this.#bytes.subarray(0, end).toString('latin1'), 16);
    if (!Number.isInteger(size)) return this.#fail(this.#bytes.subarray(0, 100).toString('latin1'));
    const start = end + LINE_END.length;
    if (this.#bytes.length < start + size + LINE_END.length) return false;
    this.#take(this.#bytes.subarray(start, start + size), start + size + LINE_END.length);
    return size === 0 ? this.#complete() : true;
  }

  #take(piece: Buffer, used: number): void {
    this.#bytes = this.#bytes.subarray(used);
    if (!this.#current) return;
    try {
      this.#current.response.body += this.#current.pieces.decode(piece, { stream: true });
    } catch {
      this.#fail('a body that is not UTF-8');
    }
    this.onNews(this.#current.response);
  }

  #complete(): boolean {
    if (!this.#current) return false;
    this.#current.response.isComplete = true;
    const { response } = this.#current;
    this.#current = undefined;
    this.onNews(response);
    return this.#bytes.length > 0;
  }

  #fail(what: string): false {
    this.problem = `not HTTP: ${JSON.stringify(what.slice(0, 200))}`;
    return false;
  }
}

function lengthOf(status: number, headers: ReadonlyMap<string, string>): number | 'chunked' | 'until the end' {
  if (status === 204 || status === 304) return 0;
  if (headers.get('transfer-encoding') === 'chunked') return 'chunked';
  const length = headers.get('content-length');
  return length === undefined ? 'until the end' : Number(length);
}
