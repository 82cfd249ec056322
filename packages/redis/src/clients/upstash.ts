/**
 * Redis over HTTP, for platforms without sockets: the REST API of Upstash, which others offer, too. Each command is a request, and each
 * subscription a response that does not end.
 * @see https://upstash.com/docs/redis/features/restapi
 */
import { createParser } from 'eventsource-parser';
import { isObject, unawaited } from '@sigil-mcp/core/adapter';
import { redisError } from '../errors';
import type { RedisConnection, RedisSubscriber, SubscriberEvents } from './redis-connection';

/** The settings of a Redis over HTTP. */
export interface UpstashOptions {
  /** The address of the REST API: `UPSTASH_REDIS_REST_URL`. */
  readonly url: string;
  /** A token that may write: `UPSTASH_REDIS_REST_TOKEN`. */
  readonly token: string;
  /**
   * Whether published messages are received, over a request that stays open for each channel. `false` where requests may not stay open:
   * what other instances write is then found a few seconds later, `deadAfter / 3`. True if left out.
   */
  readonly subscribe?: boolean;
}

/** A Redis over HTTP. */
export interface UpstashClient {
  readonly upstash: UpstashOptions;
}

/**
 * A client for `redis({ client })` that sends commands over HTTP.
 * @throws SigilError for an address or a token that cannot be used
 * @example
 * const { UPSTASH_REDIS_REST_URL: url = '', UPSTASH_REDIS_REST_TOKEN: token = '' } = process.env;
 * const stores = redis({ client: upstash({ url, token }) });
 */
export function upstash(options: UpstashOptions): UpstashClient {
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
    throw redisError('SIGIL_REDIS_REST_URL', { url: options.url });
  if (options.token === '') throw redisError('SIGIL_REDIS_REST_TOKEN');
  return { upstash: options };
}

/** Milliseconds after which a subscription that broke is renewed. */
const PAUSE = 500;

/** Sends each command as a request. */
export class UpstashConnection implements RedisConnection {
  /** There is no connection that could be lost. */
  readonly isReady = true;
  readonly publishing = 'PUBLISH';
  /** Each would be a response that stays open. */
  readonly hasManyChannels = false;
  /** The last script of each key: requests may overtake each other, and scripts of one key must not. */
  readonly #scripts = new Map<string, Promise<unknown>>();

  constructor(private readonly options: UpstashOptions) {}

  command(key: string, words: readonly string[]): Promise<unknown> {
    if (words[0] !== 'EVAL') return this.#run(words);
    const run = (): Promise<unknown> => this.#run(words);
    const script = (this.#scripts.get(key) ?? Promise.resolve()).then(run, run);
    this.#scripts.set(key, script);
    const forget = (): void => {
      if (this.#scripts.get(key) === script) this.#scripts.delete(key);
    };
    script.then(forget, forget);
    return script;
  }

  async #run(words: readonly string[]): Promise<unknown> {
    const response = await this.#send('', { body: JSON.stringify(words) });
    const reply = objectIn(await response.text());
    if (typeof reply?.['error'] === 'string') throw redisReply(reply['error']);
    if (!response.ok || !reply || !('result' in reply)) throw redisReply(`HTTP status ${response.status}`);
    return reply['result'];
  }

  renew(): void {
    // The address leads to the master at all times.
  }

  openSubscriber(events: SubscriberEvents): RedisSubscriber {
    return new UpstashSubscriber(events, this.options.subscribe ?? true, (channel, signal) =>
      this.#send(`subscribe/${encodeURIComponent(channel)}`, { headers: { accept: 'text/event-stream' }, signal }),
    );
  }

  #send(path: string, { headers, ...init }: RequestInit): Promise<Response> {
    const { url, token } = this.options;
    const address = `${url.replace(/\/+$/, '')}/${path}`;
    const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
    return fetch(address, { method: 'POST', headers: all as Record<string, string>, redirect: 'error', ...init });
  }
}

type OpenChannel = (channel: string, signal: AbortSignal) => Promise<Response>;

/** Holds a response open for each channel, and opens it again when it ends. */
class UpstashSubscriber implements RedisSubscriber {
  readonly opened = Promise.resolve();
  readonly isReady = true;
  readonly #channels = new Map<string, AbortController>();

  constructor(
    private readonly events: SubscriberEvents,
    private readonly isWanted: boolean,
    private readonly open: OpenChannel,
  ) {}

  /** Resolves once messages arrive. */
  async subscribe(channel: string): Promise<void> {
    if (!this.isWanted || this.#channels.has(channel)) return;
    const ending = new AbortController();
    this.#channels.set(channel, ending);
    try {
      const messages = await this.#begin(channel, ending.signal);
      unawaited(this.#follow(channel, ending.signal, messages));
    } catch (error) {
      this.#channels.delete(channel);
      throw error;
    }
  }

  unsubscribe(channel: string): Promise<void> {
    this.#channels.get(channel)?.abort();
    this.#channels.delete(channel);
    return Promise.resolve();
  }

  close(): void {
    for (const channel of [...this.#channels.keys()]) unawaited(this.unsubscribe(channel));
  }

  /** Opens a channel, and waits until it is subscribed. */
  async #begin(channel: string, signal: AbortSignal): Promise<AsyncGenerator<string>> {
    const response = await this.open(channel, signal);
    if (!response.ok || !response.body) throw redisReply(`HTTP status ${response.status}`);
    const events = eventsOf(response.body);
    await events.next();
    return events;
  }

  async #follow(channel: string, signal: AbortSignal, first: AsyncGenerator<string>): Promise<void> {
    for (let messages: AsyncGenerator<string> | undefined = first; !signal.aborted;) {
      try {
        for await (const event of messages ?? []) this.#hear(channel, event);
      } catch {
        // The response broke off.
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      if (signal.aborted) return;
      messages = await this.#begin(channel, signal).catch(() => undefined);
      // Messages in between were lost; other channels are subscribed already.
      if (messages) this.events.ready();
    }
  }

  /** `message,<channel>,<text>` */
  #hear(channel: string, event: string): void {
    const head = `message,${channel},`;
    if (event.startsWith(head)) this.events.heard(channel, event.slice(head.length));
  }
}

/** The data of each event. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const completed: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => completed.push(data) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* completed.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** An error whose message begins with the one of Redis, as those of other clients. */
function redisReply(reason: string): Error {
  return redisError('SIGIL_REDIS_REST', { reason });
}

/** The JSON object in a text, if it is one. */
function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
