/** A request as observers see it when it starts: what costs something is found when one of them asks for it. */
import { hash } from 'node:crypto';
import type { ErrorObject, RequestId } from '@sigil-mcp/protocol';
import type { Exchange } from '../calls/conversation';
import type { Caller } from '../context/caller';
import type { ClientFacts, RequestHeaders } from '../context/mcp-context';
import type { Network, Notes, ObservedRefusal, ObservedRequest } from '../context/observer';
import { limitOf } from '../errors/denial';
import type { IncomingRequest } from './compiled-method';

/** What a call runs. */
export interface InnerRequest {
  readonly method: string;
  readonly params: object;
}

const NO_NOTES: Notes = Object.freeze({});
/** Digits of the text that stands for a session. */
const DIGITS = 16;

/** Made for a server with observers alone, for every request: its fields are not private names (`#`). */
export class ObservableRequest implements ObservedRequest {
  private noted: Notes | undefined;
  private sessionDigest: string | undefined;

  /** @param findNotes what observers noted in the request before */
  constructor(
    private readonly incoming: IncomingRequest,
    private readonly exchange: Exchange,
    private readonly findNotes: () => Notes | undefined,
  ) {
    this.noted = undefined;
    this.sessionDigest = undefined;
  }

  /** A call that this request runs. */
  inner({ method, params }: InnerRequest): ObservableRequest {
    const request = { ...this.incoming.request, method, params: { ...params } };
    return new ObservableRequest({ ...this.incoming, request }, this.exchange, () => undefined);
  }

  get id(): RequestId {
    return this.incoming.request.id;
  }

  get method(): string {
    return this.incoming.request.method;
  }

  get params(): ObservedRequest['params'] {
    return this.incoming.request.params;
  }

  get revision(): string {
    return this.incoming.opening.conversation.revision.version;
  }

  get isBackground(): boolean {
    return this.incoming.opening.conversation.isBackground === true;
  }

  get caller(): Caller {
    return this.exchange.caller;
  }

  get client(): ClientFacts | undefined {
    const { conversation, meta } = this.incoming.opening;
    return meta ? conversation.clientOf(meta) : conversation.lasting?.client;
  }

  get headers(): RequestHeaders {
    return this.exchange.headers;
  }

  get address(): string | undefined {
    return this.exchange.address;
  }

  get network(): Network | undefined {
    return this.exchange.network;
  }

  get session(): string | undefined {
    const { sessionId } = this.exchange;
    if (sessionId === undefined) return undefined;
    return (this.sessionDigest ??= hash('sha256', sessionId, 'hex').slice(0, DIGITS));
  }

  get notes(): Notes {
    return (this.noted ??= this.findNotes() ?? NO_NOTES);
  }
}

// A refusal of a message, as observers see it; made only for a server with observers.

/** What was thrown, and what was sent for it. */
interface SentError {
  readonly error: unknown;
  readonly written: ErrorObject;
}

/** Describes a refusal on a transport without statuses. */
export function observedRefusal(
  { error, written: { code, message } }: SentError,
  { caller, headers, address }: Pick<Exchange, 'caller' | 'headers' | 'address'>,
): ObservedRefusal {
  return { status: undefined, code, message, limit: limitOf(error), error, caller, headers, address };
}
