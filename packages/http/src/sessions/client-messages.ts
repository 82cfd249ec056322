/**
 * Messages of clients that concern work at another instance: answers to questions, and cancellations. A request may arrive anywhere, so
 * they are passed on to where their work is.
 */
import { askerOf, isPromise, type Clock, type Kernel, type MaybePromise } from '@sigil-mcp/core/adapter';
import type { InboundMessage, InboundNotification, InboundResponse, JsonObject, RequestId } from '@sigil-mcp/protocol';
import { EarlyCancellations, cancelledBy, shortened } from './early-cancellations';
import type { Peers } from './peers';
import type { Session } from './session';

/** The messages that instances pass on. */
type PassedOn = InboundResponse | InboundNotification;

/** What the messages need. */
export interface ClientMessagesInit {
  /** The id of this instance. */
  readonly instance: string;
  readonly kernel: Kernel;
  readonly peers: Peers;
  readonly clock: Clock;
}

/** Passes messages on, and takes those that others have passed on. */
export class ClientMessages {
  readonly #early: EarlyCancellations;

  constructor(private readonly init: ClientMessagesInit) {
    this.#early = new EarlyCancellations(init.clock);
  }

  /** Passes a message of a client on to the instances that it may concern. Rejects with `StoreAway`. */
  passOn(session: Session, message: InboundMessage): MaybePromise<void> {
    const { instance, peers } = this.init;
    if (message.kind === 'response') {
      const asker = askerOf(message.id);
      return asker === undefined || asker === instance ? undefined : peers.sendReceived(asker, session, message);
    }
    const id = message.kind === 'notification' ? cancelledBy(message) : undefined;
    if (message.kind !== 'notification' || id === undefined || session.running.has(id)) return undefined;
    const cancellation = shortened(message, id);
    this.#early.add(session.id, id, cancellation);
    return peers.tellReceived(session, cancellation);
  }

  /** Like `passOn`, for a batch. */
  passOnAll(session: Session, messages: readonly InboundMessage[]): MaybePromise<void> {
    const passedOn = messages.map((message) => this.passOn(session, message)).filter(isPromise);
    return passedOn.length === 0 ? undefined : Promise.all(passedOn).then(() => undefined);
  }

  /** Requests have begun here: applies cancellations that arrived before them. */
  begun(session: Session, ids: readonly RequestId[]): void {
    if (this.#early.size === 0) return;
    for (const id of ids) {
      const cancelled = this.#early.take(session.id, id);
      if (cancelled) this.init.kernel.notice(cancelled, session.conversation);
    }
  }

  /** Handles a message that the client has sent to another instance; unless it concerns this one, it has no effect. */
  receive({ id, conversation }: Session, message: JsonObject): void {
    const received = message as unknown as PassedOn;
    if (received.kind === 'response') conversation.lasting?.acceptResponse(received);
    else if (received.kind === 'notification') {
      const cancelled = cancelledBy(received);
      if (cancelled === undefined || conversation.running.has(cancelled))
        this.init.kernel.notice(received, conversation);
      else this.#early.add(id, cancelled, received);
    }
  }

  /** Like `receive`, for a session that is not known here, but may be soon. */
  receiveEarly(session: string, message: JsonObject): void {
    const received = message as unknown as PassedOn;
    const cancelled = received.kind === 'notification' ? cancelledBy(received) : undefined;
    if (cancelled !== undefined) this.#early.add(session, cancelled, received as InboundNotification);
  }
}
