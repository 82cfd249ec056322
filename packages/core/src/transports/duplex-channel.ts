/**
 * One client at the other end of an ordered pipe of text messages. Both ways of talking share it at the same time; memory
 * and stdio are thin pipes around it.
 */
import {
  NEWEST_HANDSHAKE_REVISION,
  ProtocolError,
  parseMessage,
  writeBatch,
  writeError,
  writeNotification,
  type InboundBatch,
  type InboundInvalid,
  type InboundMessage,
  type InboundNotification,
  type InboundRequest,
  type Revision,
} from '@sigil-mcp/protocol';
import type { Conversation } from '../calls/conversation';
import type { Exchange } from '../calls/exchange';
import { hasClaim, openConversation, strangersConversation } from '../conversations/open-conversation';
import { AskFailure } from '../errors/ask-failure';
import type { Answer } from '../kernel/answer';
import { ChangeFeed } from '../kernel/change-feed';
import type { Kernel } from '../kernel/kernel';
import { RunningCalls } from '../calls/running-calls';
import { andThen, isPromise, type MaybePromise } from '../values/maybe-promise';

/** The way out: one message, without line breaks. A promise means that there is no room; it resolves when there is. */
export type WriteText = (text: string) => MaybePromise<void>;

/** Reads what the client sends, writes what it is answered. */
export class DuplexChannel {
  readonly #running = new RunningCalls();
  readonly #pending = new Set<Promise<unknown>>();
  readonly #exchange: Exchange;
  #held: Conversation | undefined;
  #leaveAudience: (() => void) | undefined;
  /** Pending while `initialize` is answered. */
  #opening: Promise<unknown> | undefined;

  constructor(
    private readonly kernel: Kernel,
    private readonly write: WriteText,
    caller: Pick<Exchange, 'headers' | 'user'> = { headers: {}, user: undefined },
  ) {
    this.#exchange = { ...caller, notify: write, isShared: true };
  }

  /** Takes one message, whatever it is. Never throws. */
  receive(text: string): void {
    const message = parseMessage(text);
    if (message.kind === 'batch') this.#receiveBatch(message);
    else this.#send(this.#answer(message));
  }

  /** Answers something that could not be read as a message at all. */
  refuse(error: ProtocolError): void {
    this.#send(this.#writeRefusal(undefined, error, this.#revision));
  }

  /** Ends subscriptions, which would last forever, and resolves when everything received so far is answered. */
  async drain(): Promise<void> {
    this.kernel.audience.endOf(this.#running);
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  /** Nothing is received any more: calls that wait for an answer of the client fail. */
  hangUp(): void {
    this.#held?.hangUp(new AskFailure('The client is gone and cannot answer any more.', 'unreachable'));
  }

  /** Cancels everything that still runs, and says nothing more. */
  close(reason: Error): void {
    this.#leaveAudience?.();
    this.#running.cancelAll(reason);
  }

  get #revision(): Revision {
    return this.#held?.revision ?? NEWEST_HANDSHAKE_REVISION;
  }

  /** The text to send; undefined for what is not answered. */
  #answer(message: InboundMessage): MaybePromise<string | undefined> {
    switch (message.kind) {
      case 'request':
        return this.#answerRequest(message);
      case 'notification':
        this.#takeNotification(message);
        return undefined;
      case 'response':
        this.#held?.acceptResponse(message);
        return undefined;
      case 'invalid':
        return this.#answerInvalid(message);
    }
  }

  #answerRequest(request: InboundRequest): MaybePromise<string | undefined> {
    // Whoever does not wait for the answer to initialize is answered after it.
    if (this.#opening && !hasClaim(request.params)) return this.#opening.then(() => this.#answerRequest(request));
    const opening = openConversation(request, { held: this.#held, running: this.#running });
    if ('refusal' in opening) return this.#writeRefusal(request.id, opening.refusal, opening.revision);
    const { conversation, opened } = opening;
    const answered = this.kernel.answer(request, { conversation, exchange: this.#exchange });
    return opened ? this.#open(opened, answered) : andThen(answered, textOf);
  }

  /** The conversation is held if `initialize` succeeds; its answer goes out before those that wait for it. */
  #open(opened: Conversation, answered: MaybePromise<Answer | undefined>): MaybePromise<string | undefined> {
    const text = andThen(answered, (answer) => {
      this.#opening = undefined;
      if (answer && !answer.failure) this.#hold(opened);
      return answer?.text;
    });
    if (isPromise(text)) this.#opening = text;
    return text;
  }

  #hold(opened: Conversation): void {
    this.#held = opened;
    const feed = new ChangeFeed((change) => {
      const written = opened.writeChange(change);
      return written && this.write(writeNotification(written));
    });
    this.#leaveAudience = this.kernel.audience.add({ hear: (change) => feed.tell(change) });
  }

  /** A cancellation may be about a request of either kind, and names no revision itself. */
  #takeNotification(notification: InboundNotification): void {
    // What follows initialize is about the conversation that it opens; a cancellation is about any request.
    if (this.#opening && notification.method !== 'notifications/cancelled')
      return void this.#opening.then(() => this.#takeNotification(notification));
    const conversation = this.#held ?? strangersConversation(this.#running);
    this.kernel.notice(notification, conversation);
  }

  #answerInvalid({ id, silent, error }: InboundInvalid): string | undefined {
    return silent ? undefined : writeError(id ?? this.#revision.unreadableId, error);
  }

  #receiveBatch({ messages }: InboundBatch): void {
    if (!this.#held?.revision.batches || messages.some(namesItsRevision)) {
      this.refuse(
        new ProtocolError(
          'invalid-request',
          'Batches are not part of this protocol revision: send one message at a time.',
        ),
      );
      return;
    }
    this.#send(Promise.all(messages.map((message) => this.#answerInBatch(message))).then(joinAnswers));
  }

  async #answerInBatch(message: InboundMessage): Promise<string | undefined> {
    if (message.kind !== 'request' || message.method !== 'initialize') return this.#answer(message);
    return this.#writeRefusal(
      message.id,
      new ProtocolError('invalid-request', 'initialize must not be part of a batch.'),
      this.#revision,
    );
  }

  #writeRefusal(id: string | number | undefined, error: ProtocolError, revision: Revision): string {
    const { error: written, result } = revision.writeFailure(error, '', this.kernel.server);
    if (!written) throw new TypeError(`A refusal was written as a result: ${JSON.stringify(result)}`);
    return writeError(id ?? revision.unreadableId, written);
  }

  #send(text: MaybePromise<string | undefined>): void {
    if (!isPromise(text)) {
      if (text !== undefined) void this.write(text);
      return;
    }
    const sent: Promise<void> = text.then((value) => {
      this.#pending.delete(sent);
      if (value !== undefined) void this.write(value);
    });
    this.#pending.add(sent);
  }
}

function namesItsRevision(message: InboundMessage): boolean {
  return (message.kind === 'request' || message.kind === 'notification') && hasClaim(message.params);
}

function textOf(answer: Answer | undefined): string | undefined {
  return answer?.text;
}

/** Undefined where a batch held nothing that is answered: an empty array is never sent. */
function joinAnswers(answers: readonly (string | undefined)[]): string | undefined {
  const texts = answers.filter((text) => text !== undefined);
  return texts.length > 0 ? writeBatch(texts) : undefined;
}
