/**
 * Messages of clients of HTTP+SSE whose stream another instance has. Such a session is as long as its stream, so it has an owner: the
 * instance that has the stream is written down under its id, and gets what is posted anywhere.
 */
import { ANONYMOUS, Caller, STRANGER, isObject, type Clock, type Instance, unawaited } from '@sigil-mcp/core/adapter';
import type { JsonObject } from '@sigil-mcp/protocol';
import { busy } from '../refusals/refusal';
import { Pulse } from '../shared/pulse';

/** What becomes of a message that another instance has taken. */
export type TakeForwarded = (id: string, text: string, caller: Caller) => void;

/** Whose stream is where. */
interface StreamRecord {
  readonly instance: string;
  readonly endpoint: string;
  readonly principal?: string | undefined;
}

/** What messages are forwarded with. */
export interface ForwardedMessagesInit {
  readonly instance: Instance;
  /** Names the endpoint among those of the server. */
  readonly endpoint: string;
  /** Milliseconds without a use after which sessions are over. */
  readonly idleTime: number;
  readonly take: TakeForwarded;
  readonly clock: Clock;
}

/** Milliseconds for which a stream is known without a word of the instance that has it, at most. */
const LONGEST = 60_000;
const KIND = 'sse-message';

/** Knows the streams of this instance, and finds those of others. */
export class ForwardedMessages {
  /** Streams that are here -> what stands in the store. */
  readonly #open = new Map<string, string>();
  readonly #known: number;
  readonly #pulse: Pulse<readonly [id: string, text: string]>;
  readonly #stop: () => void;

  constructor(private readonly init: ForwardedMessagesInit) {
    this.#stop = init.instance.onMessage(KIND, (message) => this.#hear(message));
    this.#known = Math.min(init.idleTime, LONGEST);
    this.#pulse = new Pulse<readonly [string, string]>({
      interval: this.#known / 3,
      inUse: () => [...this.#open],
      say: (stream) => this.#keepAlive(stream),
      clock: init.clock,
    });
  }

  /** Writes down that a stream is here. To be waited for before its client hears of it. Rejects with `StoreAway`. */
  async opened(id: string, principal: string | undefined): Promise<void> {
    const { instance, endpoint } = this.init;
    const record: StreamRecord = { instance: instance.id, endpoint, principal };
    const text = JSON.stringify(record);
    await instance.stores.sessions.open(keyOf(id), text, this.#known);
    this.#open.set(id, text);
  }

  /** A stream is over. */
  closed(id: string): void {
    if (this.#open.delete(id)) unawaited(this.init.instance.stores.sessions.end(keyOf(id)));
  }

  /**
   * Hands a message to the instance that has the stream. Rejects with `StoreAway`, and with a `Refusal` where that instance says nothing:
   * it may be held still, and its stream is there then.
   * @returns false where nobody has it, or it is another principal's
   */
  async forward(id: string, text: string, caller: Caller): Promise<boolean> {
    const { instance, endpoint } = this.init;
    if (!/^[\w-]{32}$/.test(id)) return false;
    const record = readRecord(await instance.stores.sessions.use(keyOf(id), this.#known));
    if (record?.endpoint !== endpoint || record.principal !== caller.principal) return false;
    if (await instance.send(record.instance, KIND, { id, endpoint, text, caller: writeCaller(caller) })) return true;
    throw busy('The process that has the stream of this session does not answer.');
  }

  /** Forwards and hears nothing more. */
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
    // A store that was emptied is told again: the stream is still here.
    if ((await sessions.use(keyOf(id), this.#known)) === undefined && this.#open.has(id))
      await sessions.open(keyOf(id), text, this.#known);
  }
}

/** Sessions of the other transport have names of their own in the store: whoever names one here uses nothing of it. */
function keyOf(id: string): string {
  return `sse-${id}`;
}

/** Undefined for a text of another version, which is as good as none. */
function readRecord(text: string | undefined): StreamRecord | undefined {
  try {
    const record: unknown = JSON.parse(text ?? '');
    const isRecord = isObject(record) && typeof record['instance'] === 'string';
    return isRecord ? (record as unknown as StreamRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** A caller as another instance can know it: what was proven of it, and not the token. */
function writeCaller(caller: Caller): unknown {
  if (caller === ANONYMOUS) return 'nobody in particular';
  if (caller === STRANGER) return 'a stranger';
  const { id, kind, clientId, issuer, scopes, roles, claims, expiresAt } = caller;
  return { id, kind, clientId, issuer, scopes, roles, claims, expiresAt };
}

/** Reads what an instance of the same server has written. */
function readCaller(value: unknown): Caller {
  if (value === 'nobody in particular') return ANONYMOUS;
  return isObject(value) ? new Caller(value as unknown as ConstructorParameters<typeof Caller>[0]) : STRANGER;
}
