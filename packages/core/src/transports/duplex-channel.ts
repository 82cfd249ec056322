/**
 * One client at the other end of an ordered pipe of text messages. Both lifecycles can share it at the same time; memory
 * and stdio are thin pipes around it.
 */
import {
  parseMessage,
  writeBatch,
  writeError,
  writeNotification,
  type InboundBatch,
  type InboundInvalid,
  type InboundMessage,
  type InboundNotification,
  type InboundRequest,
  ProtocolError,
  type RequestId,
  type Revision,
} from '@sigil-mcp/protocol';
import { andThen, isPromise, unawaited, type MaybePromise, isObject, type Clock } from '@sigil-mcp/base';
import type { Conversation, Exchange, ExchangeAccess } from '../calls/conversation';
import { RunningCalls } from '../calls/running-calls';
import type { MessageSource } from '../conversations/open-conversation';
import { ANONYMOUS, type Caller } from '../context/caller';
import type { ClientLoad } from '../limits/client-load';
import { AskFailure, endedCall } from '../errors/failures';
import { limitOf, overload } from '../errors/denial';
import type { IncomingRequest, WrittenAnswer } from '../kernel/compiled-method';
import { answerBatch, batchRefusal } from '../kernel/answer-batch';
import { ChangeFeed } from '../kernel/change-feed';
import type { Kernel } from '../kernel/kernel';
import { observedRefusal } from '../kernel/observable-request';

/**
 * Milliseconds that a client has to read a notification before the result follows. Nothing tells a server what its client has read, so this
 * is a matter of how busy the client is: a turn of the event loop is too short even for an idle one.
 */
const LEAD = 10;

/**
 * The lead of what a request reports over its answer, for a request whose client has asked for its progress.
 *
 * The moment between the last progress of a call and its result. Official clients handle a result at once, forget then who listens to the
 * progress of its call, and handle a notification a little later: of those that they read together with the result nobody would hear.
 */
class LeadOfProgress {
  /** The exchange of the request: it notes when a notification was sent. */
  readonly exchange: Exchange;
  /** When the output has taken the last notification. */
  #takenAt = -Infinity;
  /** Resolves when it has. */
  #taken: MaybePromise<void> = undefined;

  constructor(
    exchange: Exchange,
    private readonly clock: Clock,
  ) {
    const notify = (text: string): MaybePromise<void> => {
      const taken = exchange.notify(text);
      this.#taken = andThen(taken, () => void (this.#takenAt = clock.elapsed()));
      return taken;
    };
    this.exchange = { ...exchange, notify };
  }

  /** Gives the answer; later, if a notification was sent just before. */
  after<T>(answer: MaybePromise<T>): MaybePromise<T> {
    return andThen(answer, (given) =>
      andThen(this.#taken, () => {
        const passed = this.clock.elapsed() - this.#takenAt;
        return passed < LEAD ? this.#late(given, LEAD - passed) : given;
      }),
    );
  }

  #late<T>(answer: T, milliseconds: number): Promise<T> {
    return new Promise((resolve) => {
      // A loop that was blocked so long has not written the notification yet; it does so at the end of this turn.
      this.clock.after(milliseconds, () => setImmediate(() => resolve(answer)));
    });
  }
}

/** Sends one message, without line breaks, to the client. A promise means that the output is full; it resolves when there is room. */
export type WriteText = (text: string) => MaybePromise<void>;

/**
 * Reads the messages of one client, and writes the answers.
 * @example
 * const channel = new DuplexChannel(host.kernel, (text) => socket.send(text));
 * socket.on('message', (data) => channel.receive(String(data)));
 * socket.on('close', () => channel.close(endedCall('SIGIL_CLIENT_GONE')));
 */
export class DuplexChannel implements MessageSource {
  readonly running: RunningCalls;
  /** The conversation that `initialize` opened; undefined before that, and for clients without a handshake. */
  held: Conversation | undefined;
  readonly #pending = new Set<Promise<unknown>>();
  #exchange: Exchange;
  readonly #limits: Kernel['context']['limits'];
  readonly #write: WriteText;
  #stopListening: (() => void) | undefined;
  /** Set while `initialize` is answered. */
  #opening: Promise<unknown> | undefined;
  /** The number of messages that wait for that answer. */
  #queued = 0;

  /**
   * @param write sends one message to the client
   * @param access the caller at the other end, as guards and handlers see it; anonymous if left out
   * @param load of the client, if it is counted over more than this channel; a load of its own if left out
   */
  constructor(
    private readonly kernel: Kernel,
    write: WriteText,
    access: ExchangeAccess = { headers: {}, caller: ANONYMOUS },
    load?: ClientLoad,
  ) {
    this.running = new RunningCalls(load);
    this.#limits = { ...kernel.context.limits, ...load?.shares };
    this.#write = this.#guard(write);
    this.#exchange = { ...access, session: this.running, notify: this.#write, isShared: true };
  }

  /** Takes the text of one message; any text that cannot be read is answered with an error. Never throws. */
  readonly receive = (text: string): void => {
    try {
      const message = parseMessage(text, this.#limits);
      if (message.kind === 'batch') this.#receiveBatch(message);
      else this.#send(this.#answer(message));
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Messages from now on belong to this caller: the same client, with other rights than before. */
  renew(caller: Caller): void {
    if (caller !== this.#exchange.caller) this.#exchange = { ...this.#exchange, caller };
  }

  /** Answers a message that could not be read, under its id if that was readable. */
  readonly refuse = (error: ProtocolError, id?: RequestId): void => {
    const written = this.#revision.writeError(error);
    this.kernel.context.observers?.unreadable(written, limitOf(error));
    this.#send(writeError(id ?? this.#revision.unreadableId, written));
  };

  /** An error outside a call ends the exchange of its message, and no other. */
  readonly #fail = (error: unknown): void =>
    this.#send(
      this.#refusal(
        new ProtocolError('internal-error', this.kernel.context.maskError(error, { method: 'A message' })),
        undefined,
        error,
      ),
    );

  /** Writes the refusal of a message that was read. */
  #refusal(error: ProtocolError, id?: RequestId, thrown: unknown = error): string {
    const written = this.#revision.writeError(error);
    this.kernel.context.observers?.refused(observedRefusal({ error: thrown, written }, this.#exchange));
    return writeError(id ?? this.#revision.unreadableId, written);
  }

  /** Ends subscriptions, which would last forever, and resolves when everything received so far is answered. */
  async drain(): Promise<void> {
    this.kernel.context.listeners.endOf(this.running);
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Fails the pending questions to the client: no more messages will arrive. */
  hangUp({ message }: Error): void {
    this.held?.lasting?.hangUp(new AskFailure(`${message} No answer can come any more.`, 'unreachable'));
  }

  /**
   * The client disconnects: its subscriptions end with their results, its questions fail, and the signals of its calls fire. Answers that
   * come anyway are sent.
   */
  abandon(reason: Error): void {
    this.kernel.context.listeners.endOf(this.running);
    this.hangUp(reason);
    this.running.abortAll(reason);
  }

  /** Cancels all pending requests, and sends no more messages. */
  close(reason: Error): void {
    this.#stopListening?.();
    this.running.cancelAll(() => reason);
  }

  /** If sending fails, the client is gone: its calls are cancelled, and the error goes no further. */
  #guard(write: WriteText): WriteText {
    const fail = (): void => this.close(endedCall('SIGIL_CLIENT_GONE'));
    return (text) => {
      try {
        const room = write(text);
        return isPromise(room) ? room.catch(fail) : room;
      } catch {
        return fail();
      }
    };
  }

  get #revision(): Revision {
    return this.held?.revision ?? this.kernel.conversations.assumed;
  }

  /** The text to send; undefined if there is no answer. */
  #answer(message: InboundMessage): MaybePromise<string | undefined> {
    switch (message.kind) {
      case 'request':
        return this.#takeRequest(message);
      case 'notification':
        this.#takeNotification(message);
        return undefined;
      case 'response':
        this.held?.lasting?.acceptResponse(message);
        return undefined;
      case 'invalid':
        return this.#answerInvalid(message);
    }
  }

  /** A request beyond the limits is refused under its own id. */
  #takeRequest(request: InboundRequest): MaybePromise<string | undefined> {
    try {
      return this.#answerRequest(request);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return this.#refusal(error, request.id);
    }
  }

  #answerRequest(request: InboundRequest): MaybePromise<string | undefined> {
    // A client that does not wait for the answer to initialize gets its other answers after that one.
    if (this.#opening && !this.kernel.conversations.standsAlone(request)) {
      return this.#queue(request, this.#opening);
    }
    const incoming = this.kernel.open(request, this);
    if (incoming.opening.opens) return this.#open(incoming);
    const meta = this.#exchange.network && request.params?.['_meta'];
    // Both ends of a pipe inside a process see each message as it is sent, and wait for nothing.
    const hasLead = isObject(meta) && meta['progressToken'] !== undefined;
    const lead = hasLead ? new LeadOfProgress(this.#exchange, this.kernel.context.clock) : undefined;
    const answer = this.kernel.answer(incoming, lead?.exchange ?? this.#exchange);
    return andThen(lead ? lead.after(answer) : answer, (written) => written?.text);
  }

  /** Lets a request wait for the answer to `initialize`, within the limits. */
  #queue(request: InboundRequest, opening: Promise<unknown>): MaybePromise<string | undefined> {
    const { callsPerClient } = this.#limits;
    const sentence = `${callsPerClient} messages wait for the answer to initialize (limits.callsPerClient). Wait for it first.`;
    if (this.#queued >= callsPerClient) throw overload('limits.callsPerClient', sentence);
    const giveBack = this.kernel.context.account.take(this.running.load, 'calls', request.weight);
    return this.#afterOpening(opening, () => {
      giveBack();
      return this.#answerRequest(request);
    });
  }

  /** Handles a message once `initialize` was answered. */
  #afterOpening<T>(opening: Promise<unknown>, take: () => MaybePromise<T>): Promise<T> {
    this.#queued += 1;
    return opening.then(() => {
      this.#queued -= 1;
      return take();
    });
  }

  /** The conversation is held if `initialize` succeeds; its answer is sent before those that wait for it. */
  #open(incoming: IncomingRequest): MaybePromise<string | undefined> {
    const { conversation } = incoming.opening;
    const giveBack = this.kernel.hold(conversation);
    const text = andThen(this.kernel.answer(incoming, this.#exchange), (answer) => {
      this.#opening = undefined;
      if (answer && !answer.failure && !this.running.isOver) this.#hold(conversation);
      else giveBack();
      return answer?.text;
    });
    if (isPromise(text)) this.#opening = text;
    return text;
  }

  #hold(opened: Conversation): void {
    this.held = opened;
    const feed = new ChangeFeed((change) => {
      const written = opened.lasting?.writeChange(change);
      return written && this.#write(writeNotification(written));
    });
    const caller = (): Caller => this.#exchange.caller;
    this.#stopListening = this.kernel.context.listeners.add({
      hear: (change) => feed.tell(change),
      followSubscriptions: (follower) => opened.lasting?.followSubscriptions(follower) ?? (() => undefined),
      get caller() {
        return caller();
      },
    });
  }

  /** Handles a notification. A cancellation may concern a request of either lifecycle, and names no revision itself. */
  #takeNotification(notification: InboundNotification): void {
    // Notifications after initialize belong to the conversation that it opens; a cancellation belongs to any request.
    if (this.#opening && notification.method !== 'notifications/cancelled') {
      // Notifications beyond the limit can be dropped: they have no answer, and the important ones follow the answer to initialize.
      if (this.#queued >= this.#limits.callsPerClient || !this.kernel.conversations.hears(notification.method)) return;
      // Its parameters are not read, and may be large.
      const waiting: InboundNotification = { ...notification, params: undefined };
      return unawaited(
        this.#afterOpening(this.#opening, () => this.#takeNotification(waiting)),
        this.#fail,
      );
    }
    const conversation = this.held ?? this.kernel.conversations.openForUnknown(this.running);
    this.kernel.notice(notification, conversation);
  }

  #answerInvalid({ id, silent, error, limit }: InboundInvalid): string | undefined {
    this.kernel.context.observers?.unreadable(error, limit);
    return silent ? undefined : writeError(id ?? this.#revision.unreadableId, error);
  }

  #receiveBatch(batch: InboundBatch): void {
    const refusal = batchRefusal(batch, this, this.kernel);
    if (refusal) return this.#send(this.#refusal(refusal));
    const answers = answerBatch(batch, this, { kernel: this.kernel, exchange: this.#exchange });
    this.#send(answers.then(joinAnswers));
  }

  #send(text: MaybePromise<string | undefined>): void {
    // If sending fails, the channel is closed already.
    if (!isPromise(text)) {
      if (text !== undefined) unawaited(this.#write(text));
      return;
    }
    const sent: Promise<void> = text.catch(this.#fail).then((value) => {
      this.#pending.delete(sent);
      if (value !== undefined) unawaited(this.#write(value));
    });
    this.#pending.add(sent);
  }
}

/** The text of a batch of answers; undefined without answers, because an empty array is never sent. */
function joinAnswers(answers: readonly (WrittenAnswer | undefined)[]): string | undefined {
  const texts = answers.flatMap((answer) => (answer ? [answer.text] : []));
  return texts.length > 0 ? writeBatch(texts) : undefined;
}
