/**
 * Redis over HTTP, for platforms without sockets: the REST API of Upstash, which others offer, too. Each command is a request, and each
 * subscription a response that does not end.
 * @see https://upstash.com/docs/redis/features/restapi
 */
import { createParser } from 'eventsource-parser';
import type { Clock } from '@sigil-mcp/core/adapter';
import {
  isObject,
  parseJson,
  OPTION_RULES,
  requireOptions,
  unawaited,
  type OptionRule,
} from '@sigil-mcp/core/internal';
import { StoreAway } from '@sigil-mcp/core/stores';
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

const OPTIONS: Readonly<Record<keyof UpstashOptions, OptionRule | undefined>> = {
  url: undefined,
  token: undefined,
  subscribe: OPTION_RULES.flag,
};

/** A Redis over HTTP. */
export interface UpstashClient {
  readonly upstash: UpstashOptions;
}

/**
 * A client for `redis({ client })` that sends commands over HTTP.
 * @throws DefinitionError for options that do not exist, SigilError for an address or a token that cannot be used
 * @example
 * const { UPSTASH_REDIS_REST_URL: url = '', UPSTASH_REDIS_REST_TOKEN: token = '' } = process.env;
 * const stores = redis({ client: upstash({ url, token }) });
 */
export function upstash(options: UpstashOptions): UpstashClient {
  requireOptions('upstash', options, OPTIONS);
  if (!URL.canParse(options.url) || !/^https?:$/.test(new URL(options.url).protocol))
    throw redisError('SIGIL_REDIS_REST_URL', { url: options.url });
  if (options.token === '') throw redisError('SIGIL_REDIS_REST_TOKEN');
  return { upstash: options };
}

/** How long a command may take. */
export interface RequestLimits {
  /** Milliseconds. */
  readonly commandTimeout: number;
  readonly clock: Clock;
}

/** Milliseconds after which a subscription that broke is renewed. */
const PAUSE = 500;

/** Sends each command as a request. */
export class UpstashConnection implements RedisConnection {
  /** There is no connection that could be lost. */
  readonly isReady = true;
  readonly isCluster = false;
  readonly publishing = 'PUBLISH';
  /** Each would be a response that stays open. */
  readonly hasManyChannels = false;
  /** The last script of each key: requests may overtake each other, and scripts of one key must not. */
  readonly #scripts = new Map<string, Promise<unknown>>();

  constructor(
    private readonly options: UpstashOptions,
    private readonly limits: RequestLimits,
  ) {}

  command(key: string, words: readonly string[]): Promise<unknown> {
    if (words[0] !== 'EVAL') return this.#run(words);
    const { commandTimeout, clock } = this.limits;
    const latest = clock.elapsed() + commandTimeout;
    // One whose caller waits no longer is not sent.
    const run = async (): Promise<unknown> => {
      if (clock.elapsed() >= latest) throw new StoreAway('It had to wait for an earlier script of its key.');
      return this.#run(words);
    };
    const script = (this.#scripts.get(key) ?? Promise.resolve()).then(run, run);
    this.#scripts.set(key, script);
    const forget = (): void => {
      if (this.#scripts.get(key) === script) this.#scripts.delete(key);
    };
    script.then(forget, forget);
    return script;
  }

  async #run(words: readonly string[]): Promise<unknown> {
    const { commandTimeout, clock } = this.limits;
    // A request that hangs must not stop what comes after it. After a pause of the process, answers that wait are read first.
    const ending = new AbortController();
    const timer = clock.after(commandTimeout, () => setImmediate(() => ending.abort()));
    try {
      const response = await this.#send('', { body: JSON.stringify(words), signal: ending.signal });
      return replyOf(response, await response.text());
    } finally {
      timer.close();
    }
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
    const address = `${url.replace(/(?<!\/)\/+$/, '')}/${path}`;
    const all = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers };
    return fetch(address, { method: 'POST', headers: all as Record<string, string>, redirect: 'error', ...init });
  }
}

type OpenChannel = (channel: string, signal: AbortSignal) => Promise<Response>;

/** A channel that is subscribed, or will be. */
interface Channel {
  /** Ends it. */
  readonly ending: AbortController;
  /** Resolves once messages arrive, for all who wait for them. */
  readonly opened: Promise<void>;
}

/** Holds a response open for each channel, and opens it again when it ends. */
class UpstashSubscriber implements RedisSubscriber {
  readonly opened = Promise.resolve();
  readonly isReady = true;
  readonly #channels = new Map<string, Channel>();

  constructor(
    private readonly events: SubscriberEvents,
    private readonly isWanted: boolean,
    private readonly open: OpenChannel,
  ) {}

  /** Resolves once messages arrive. */
  subscribe(channel: string): Promise<void> {
    if (!this.isWanted) return Promise.resolve();
    const known = this.#channels.get(channel);
    if (known) return known.opened;
    const ending = new AbortController();
    const opened = this.#begin(channel, ending.signal).then(
      (messages) => unawaited(this.#follow(channel, ending.signal, messages)),
      (error: unknown) => {
        if (this.#channels.get(channel)?.ending === ending) this.#channels.delete(channel);
        throw error;
      },
    );
    this.#channels.set(channel, { ending, opened });
    return opened;
  }

  unsubscribe(channel: string): Promise<void> {
    this.#channels.get(channel)?.ending.abort();
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

/** What Redis replied. @throws SigilError with what it, or the server in front of it, refused */
function replyOf({ ok, status }: Response, text: string): unknown {
  const found = parseJson(text);
  const reply = isObject(found) ? found : undefined;
  if (typeof reply?.['error'] === 'string') throw redisReply(reply['error']);
  if (!ok || !reply || !('result' in reply)) throw redisReply(`HTTP status ${status}`);
  return reply['result'];
}
