/**
 * Messages of HTTP+SSE clients whose stream is at another instance. Such a session lives as long as its stream, so it has an owner: the
 * store maps its id to the instance with the stream, and messages that arrive elsewhere are forwarded to that instance.
 */
import {
  ANONYMOUS,
  Caller,
  WITHOUT_TOKEN,
  type Clock,
  type Instance,
  type MaybePromise,
} from '@sigil-mcp/core/adapter';
import { andThen, isObject, parseJson, unawaited } from '@sigil-mcp/core/internal';
import type { JsonObject } from '@sigil-mcp/protocol';
import { busy } from '../call';
import { Pulse } from '../sessions/pulse';

/** Handles a message that another instance has received. */
export type TakeForwarded = (id: string, text: string, caller: Caller) => void;

/** The owner of a stream. */
interface StreamRecord {
  readonly instance: string;
  readonly endpoint: string;
  readonly principal?: string | undefined;
}

/** The options of forwarding. */
export interface ForwardedMessagesInit {
  readonly instance: Instance;
  /** Identifies the endpoint within the server. */
  readonly endpoint: string;
  /** Milliseconds without use after which sessions end. */
  readonly idleTime: number;
  readonly take: TakeForwarded;
  readonly clock: Clock;
}

/** The longest time, in milliseconds, for which a stream is stored without a sign of life of its instance. */
const LONGEST = 60_000;
const KIND = 'sse-message';

/** Stores the streams of this instance, and finds those of others. */
export class ForwardedMessages {
  /** The streams of this instance -> their records in the store. */
  readonly #open = new Map<string, string>();
  readonly #keptFor: number;
  readonly #pulse: Pulse<readonly [id: string, text: string]>;
  readonly #stop: () => void;

  constructor(private readonly init: ForwardedMessagesInit) {
    this.#stop = init.instance.onMessage(KIND, (message) => this.#hear(message));
    this.#keptFor = Math.min(init.idleTime, LONGEST);
    this.#pulse = new Pulse<readonly [string, string]>({
      interval: this.#keptFor / 3,
      inUse: () => [...this.#open],
      renew: (stream) => this.#keepAlive(stream),
      clock: init.clock,
    });
  }

  /** Stores that a stream is at this instance, before its client is notified. Rejects with `StoreAway`. */
  opened(id: string, principal: string | undefined): MaybePromise<void> {
    const { instance, endpoint } = this.init;
    const record: StreamRecord = { instance: instance.id, endpoint, principal };
    const text = JSON.stringify(record);
    const stored = instance.stores.sessions.open(keyOf(id), text, this.#keptFor);
    return andThen(stored, () => void this.#open.set(id, text));
  }

  /** Removes a stream that has ended. */
  closed(id: string): void {
    if (this.#open.delete(id)) unawaited(this.init.instance.stores.sessions.end(keyOf(id)));
  }

  /**
   * Forwards a message to the instance with the stream. Rejects with `StoreAway`, and with a `Refusal` if that instance does not
   * answer: it may be paused, and its stream still exists then.
   * @returns false if no instance has the stream, or if it belongs to another principal
   */
  forward(id: string, text: string, caller: Caller): MaybePromise<boolean> {
    const { instance, endpoint } = this.init;
    if (!/^[\w-]{32}$/.test(id)) return false;
    return andThen(instance.stores.sessions.use(keyOf(id), this.#keptFor), (stored) => {
      const record = readRecord(stored);
      if (record?.endpoint !== endpoint || record.principal !== caller.principal) return false;
      const body = { id, endpoint, text, caller: writeCaller(caller) };
      return andThen(instance.send(record.instance, KIND, body), (isSent) => {
        if (isSent) return true;
        throw busy('The server process with the stream of this session does not answer.');
      });
    });
  }

  /** Stops forwarding and receiving. */
  close(): void {
    this.#pulse.stop();
    this.#stop();
    for (const id of [...this.#open.keys()]) this.closed(id);
  }

  #hear({ id, endpoint, text, caller }: JsonObject): void {
    if (endpoint !== this.init.endpoint || typeof id !== 'string' || typeof text !== 'string') return;
    this.init.take(id, text, readCaller(caller));
  }

  async #keepAlive([id, text]: readonly [id: string, text: string]): Promise<void> {
    const { sessions } = this.init.instance.stores;
    // A store that was emptied needs the record again: the stream still exists.
    if ((await sessions.use(keyOf(id), this.#keptFor)) === undefined && this.#open.has(id))
      await sessions.open(keyOf(id), text, this.#keptFor);
  }
}

/** A separate key prefix, so that ids of Streamable HTTP sessions and of these streams cannot be mixed up. */
function keyOf(id: string): string {
  return `sse-${id}`;
}

/** Undefined for a record of another version, which is treated as missing. */
function readRecord(text: string | undefined): StreamRecord | undefined {
  const record = parseJson(text ?? '');
  const isRecord = isObject(record) && typeof record['instance'] === 'string';
  return isRecord ? (record as unknown as StreamRecord) : undefined;
}

/** A caller for another instance: its verified facts, without the token. */
function writeCaller(caller: Caller): unknown {
  if (caller === ANONYMOUS) return 'anonymous';
  if (caller === WITHOUT_TOKEN) return 'without token';
  const { id, kind, clientId, issuer, scopes, roles, claims, expiresAt } = caller;
  return { id, kind, clientId, issuer, scopes, roles, claims, expiresAt };
}

/** Reads a caller that an instance of the same server has written. */
function readCaller(value: unknown): Caller {
  if (value === 'anonymous') return ANONYMOUS;
  return isObject(value) ? new Caller(value as unknown as ConstructorParameters<typeof Caller>[0]) : WITHOUT_TOKEN;
}
