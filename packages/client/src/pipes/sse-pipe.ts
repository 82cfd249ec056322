/**
 * The pipe to an HTTP+SSE server, which Streamable HTTP has replaced: one stream for all messages of the server, and a POST for each message
 * of the client.
 * @see https://modelcontextprotocol.io/specification/2024-11-05/basic/transports#http-with-sse
 */
import { isObject, settleWithin, SigilError } from '@sigil-mcp/base';
import type { RequestId } from '@sigil-mcp/protocol';
import { clientError } from '../errors';
import { readJson } from '../json';
import { HttpEndpoint, type HttpPipeOptions } from './http-endpoint';
import { refusalOf } from './http-error';
import { LONGEST_DELAY, type OpenPipe, type Pipe, type PipeUser } from './pipe';
import { createParser } from 'eventsource-parser';
import { LONGEST_MESSAGE } from './read-text';

/** One event of a stream. */
export interface ReceivedEvent {
  /** The type of the event; undefined if it has none. */
  readonly event?: string | undefined;
  /** The id after which the stream can be resumed; undefined if the event has none. */
  readonly id?: string | undefined;
  readonly data: string;
}

/** Opens the stream of an HTTP+SSE server. */
export function ssePipe(url: string, options: HttpPipeOptions = {}): OpenPipe {
  return (user) => new SsePipe(url, options, user);
}

class SsePipe implements Pipe {
  readonly #closing = new AbortController();
  /** The URL for messages, which the first event names. */
  readonly #endpoint: Promise<HttpEndpoint>;
  /** Resolves when the messages before have arrived: later ones must not overtake them. */
  #arrived: Promise<unknown> = Promise.resolve();
  #named: (endpoint: HttpEndpoint) => void = () => undefined;

  constructor(
    private readonly url: string,
    private readonly options: HttpPipeOptions,
    private readonly user: PipeUser,
  ) {
    const stream = this.#read();
    this.#endpoint = Promise.race([
      new Promise<HttpEndpoint>((resolve) => (this.#named = resolve)),
      stream.then((reason) => Promise.reject(reason)),
    ]);
    this.#endpoint.catch(() => undefined);
    stream.then((reason) => user.end(reason)).catch((error: Error) => user.fault(error));
  }

  async send(text: string): Promise<void> {
    const sent = this.#arrived.then(() => this.#post(text));
    // A message that the server does not take holds later ones up, but not for ever.
    this.#arrived = settleWithin(LONGEST_DELAY, sent, this.options.clock);
    const id = requestId(text);
    // The failure of a request is that of its promise alone.
    await sent.catch((error: Error) => {
      if (id === undefined) throw error;
      this.user.fail(error, id);
    });
  }

  close(): void {
    this.#closing.abort();
  }

  async #post(text: string): Promise<void> {
    const endpoint = await this.#endpoint;
    const headers = { 'Content-Type': 'application/json' };
    const response = await endpoint.fetch({ method: 'POST', headers, body: text, signal: this.#closing.signal });
    if (!response.ok) throw await refusalOf(endpoint.url, 'POST', response);
    await response.body?.cancel();
  }

  /** Reads the stream to its end. @returns why it ended */
  async #read(): Promise<Error> {
    const { signal } = this.#closing;
    try {
      const stream = new HttpEndpoint(this.url, this.options);
      const response = await stream.fetch({ method: 'GET', headers: { Accept: 'text/event-stream' }, signal });
      if (!response.ok || !(response.headers.get('content-type') ?? '').startsWith('text/event-stream'))
        return await refusalOf(this.url, 'GET', response);
      for await (const { event, data } of readEvents(response, () => undefined)) {
        if (event === 'endpoint') this.#named(this.#endpointAt(data));
        else this.user.receive(data);
      }
      return clientError('SIGIL_CLIENT_STREAM_ENDED', { url: this.url });
    } catch (error) {
      // All errors of this package have this class; the others are of the network.
      return error instanceof SigilError
        ? error
        : clientError('SIGIL_CLIENT_STREAM_ENDED', { url: this.url }, { cause: error });
    }
  }

  /** The endpoint must be on the same server: the token is for this one. */
  #endpointAt(data: string): HttpEndpoint {
    const url = URL.canParse(data, this.url) ? new URL(data, this.url) : undefined;
    if (url?.origin === new URL(this.url).origin) return new HttpEndpoint(url.href, this.options);
    throw clientError('SIGIL_CLIENT_ENDPOINT', { url: this.url, endpoint: JSON.stringify(data) });
  }
}

function requestId(text: string): RequestId | undefined {
  const message = readJson(text);
  if (!isObject(message) || !('method' in message)) return undefined;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

/**
 * The events of a response, without comments and without an event that is incomplete when the stream ends.
 * @param onRetry receives the milliseconds to wait before the stream is resumed, if the server sends them
 */
export async function* readEvents(
  response: Response,
  onRetry: (milliseconds: number) => void,
): AsyncGenerator<ReceivedEvent> {
  if (!response.body) return;
  const completed: ReceivedEvent[] = [];
  const parser = createParser({ onEvent: (event) => completed.push(event), onRetry });
  const decoder = new TextDecoder();
  let length = 0;
  for await (const chunk of response.body) {
    // The body of a response is bytes.
    const bytes = chunk as Uint8Array;
    parser.feed(decoder.decode(bytes, { stream: true }));
    length = completed.length > 0 ? 0 : length + bytes.length;
    if (length > LONGEST_MESSAGE) throw clientError('SIGIL_CLIENT_LONG_MESSAGE', { limit: LONGEST_MESSAGE });
    yield* completed.splice(0);
  }
}
