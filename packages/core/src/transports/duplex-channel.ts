/**
 * One client at the other end of an ordered pipe of text messages. Both ways of talking share it at the same time; memory
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
import type { Conversation } from '../calls/conversation';
import type { Exchange } from '../calls/exchange';
import { RunningCalls } from '../calls/running-calls';
import type { Connection } from '../conversations/open-conversation';
import { ANONYMOUS, type Caller } from '../context/caller';
import type { ClientLoad } from '../limits/client-load';
import { AskFailure } from '../errors/ask-failure';
import { overload } from '../errors/overload';
import { endedCall } from '../errors/ended-call';
import type { Answer } from '../kernel/answer';
import { answerBatch, batchRefusal } from '../kernel/answer-batch';
import { ChangeFeed } from '../kernel/change-feed';
import type { IncomingRequest } from '../kernel/incoming-request';
import type { Kernel } from '../kernel/kernel';
import { andThen, isPromise, unawaited, type MaybePromise } from '../values/maybe-promise';

/** Sends one message, without line breaks, to the client. A promise means that there is no room; it resolves when there is. */
export type WriteText = (text: string) => MaybePromise<void>;

/**
 * Reads what one client sends, writes what it is answered.
 * @example
 * const channel = new DuplexChannel(host.kernel, (text) => socket.send(text));
 * socket.on('message', (data) => channel.receive(String(data)));
 * socket.on('close', () => channel.close(endedCall('SIGIL_CLIENT_GONE')));
 */
export class DuplexChannel implements Connection {
  readonly running: RunningCalls;
  /** The conversation that `initialize` opened; undefined before, and for clients that do not shake hands. */
  held: Conversation | undefined;
  readonly #pending = new Set<Promise<unknown>>();
  #exchange: Exchange;
  readonly #write: WriteText;
  #stopListening: (() => void) | undefined;
  /** Pending while `initialize` is answered. */
  #opening: Promise<unknown> | undefined;
  /** Messages that wait for that. */
  #queued = 0;

  /**
   * @param write sends one message to the client
   * @param access who is at the other end, as guards and handlers see it; nobody in particular if left out
   * @param load of the client, where it is counted over more than this channel; a load of its own if left out
   */
  constructor(
    private readonly kernel: Kernel,
    write: WriteText,
    access: Pick<Exchange, 'headers' | 'caller' | 'address'> = { headers: {}, caller: ANONYMOUS },
    load?: ClientLoad,
  ) {
    this.running = new RunningCalls(load);
    this.#write = this.#guard(write);
    this.#exchange = { ...access, session: this.running, notify: this.#write, isShared: true };
  }

  /** Takes the text of one message, whatever it is; what cannot be read is answered with an error. Never throws. */
  readonly receive = (text: string): void => {
    try {
      const message = parseMessage(text, this.kernel.limits);
      if (message.kind === 'batch') this.#receiveBatch(message);
      else this.#send(this.#answer(message));
    } catch (error) {
      this.#fail(error);
    }
  };

  /** Takes what comes from now on as sent by this caller: the one at the other end, with other rights than before. */
  renew(caller: Caller): void {
    if (caller !== this.#exchange.caller) this.#exchange = { ...this.#exchange, caller };
  }

  /** Answers something that could not be read as a message at all, under its id where that could be seen. */
  readonly refuse = (error: ProtocolError, id?: RequestId): void => {
    this.#send(writeError(id ?? this.#revision.unreadableId, this.#revision.writeError(error)));
  };

  /** What is thrown beside a call ends the exchange of its message, and no other. */
  readonly #fail = (error: unknown): void =>
    this.refuse(new ProtocolError('internal-error', this.kernel.maskError(error, { method: 'A message' })));

  /** Ends subscriptions, which would last forever, and resolves when everything received so far is answered. */
  async drain(): Promise<void> {
    this.kernel.listeners.endOf(this.running);
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Fails the questions that wait for an answer of the client: nothing is received any more. */
  hangUp({ message }: Error): void {
    this.held?.lasting?.hangUp(new AskFailure(`${message} No answer can come any more.`, 'unreachable'));
  }

  /**
   * The client takes its leave: its subscriptions end with their results, its questions fail and the signals of its calls fire; what is
   * answered all the same is sent.
   */
  abandon(reason: Error): void {
    this.kernel.listeners.endOf(this.running);
    this.hangUp(reason);
    this.running.abortAll(reason);
  }

  /** Cancels everything that still runs, and says nothing more. */
  close(reason: Error): void {
    this.#stopListening?.();
    this.running.cancelAll(reason);
  }

  /** A way out that fails is one whose client is gone: what runs for it is cancelled, and nobody else hears of it. */
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

  /** The text to send; undefined for what is not answered. */
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

  /** A request for which there is no room is refused under its own id. */
  #takeRequest(request: InboundRequest): MaybePromise<string | undefined> {
    try {
      return this.#answerRequest(request);
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      return writeError(request.id, this.#revision.writeError(error));
    }
  }

  #answerRequest(request: InboundRequest): MaybePromise<string | undefined> {
    // Whoever does not wait for the answer to initialize is answered after it.
    if (this.#opening && !this.kernel.conversations.standsAlone(request)) {
      return this.#queue(request, this.#opening);
    }
    const incoming = this.kernel.open(request, this);
    if (incoming.opening.opens) return this.#open(incoming);
    return andThen(this.kernel.answer(incoming, this.#exchange), textOf);
  }

  /** Lets a request wait for the answer to `initialize`, where there is room for it. */
  #queue(request: InboundRequest, opening: Promise<unknown>): MaybePromise<string | undefined> {
    const { limits, weight } = this.kernel;
    const { callsPerClient } = limits;
    const sentence = `${callsPerClient} messages wait for the answer to initialize (limits.callsPerClient). Wait for it first.`;
    if (this.#queued >= callsPerClient) throw overload(sentence);
    const giveBack = weight.take(this.running.load, request.weight);
    return this.#afterOpening(opening, () => {
      giveBack();
      return this.#answerRequest(request);
    });
  }

  /** Takes a message once `initialize` is answered. */
  #afterOpening<T>(opening: Promise<unknown>, take: () => MaybePromise<T>): Promise<T> {
    this.#queued += 1;
    return opening.then(() => {
      this.#queued -= 1;
      return take();
    });
  }

  /** The conversation is held if `initialize` succeeds; its answer goes out before those that wait for it. */
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
    this.#stopListening = this.kernel.listeners.add({
      hear: (change) => feed.tell(change),
      subscribed: () => opened.lasting?.record.subscribed ?? [],
      get caller() {
        return caller();
      },
    });
  }

  /** Takes a notification. A cancellation may be about a request of either kind, and names no revision itself. */
  #takeNotification(notification: InboundNotification): void {
    // What follows initialize is about the conversation that it opens; a cancellation is about any request.
    if (this.#opening && notification.method !== 'notifications/cancelled') {
      const { conversations, limits } = this.kernel;
      // Beyond the limit nobody misses it: a notification has no answer, and those that count are sent after the answer to initialize.
      if (this.#queued >= limits.callsPerClient || !conversations.hears(notification.method)) return;
      // Its parameters are not read, and may be large.
      const waiting: InboundNotification = { ...notification, params: undefined };
      return unawaited(
        this.#afterOpening(this.#opening, () => this.#takeNotification(waiting)),
        this.#fail,
      );
    }
    const conversation = this.held ?? this.kernel.conversations.openForStranger(this.running);
    this.kernel.notice(notification, conversation);
  }

  #answerInvalid({ id, silent, error }: InboundInvalid): string | undefined {
    return silent ? undefined : writeError(id ?? this.#revision.unreadableId, error);
  }

  #receiveBatch(batch: InboundBatch): void {
    const refusal = batchRefusal(batch, this, this.kernel);
    if (refusal) return this.refuse(refusal);
    const answers = answerBatch(batch, this, { kernel: this.kernel, exchange: this.#exchange });
    this.#send(answers.then(joinAnswers));
  }

  #send(text: MaybePromise<string | undefined>): void {
    // A way out that fails has closed the channel already.
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

function textOf(answer: Answer | undefined): string | undefined {
  return answer?.text;
}

/** The text of a batch of answers; undefined where there is none, because an empty array is never sent. */
function joinAnswers(answers: readonly (Answer | undefined)[]): string | undefined {
  const texts = answers.flatMap((answer) => (answer ? [answer.text] : []));
  return texts.length > 0 ? writeBatch(texts) : undefined;
}
