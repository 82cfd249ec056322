/** Questions to a client that can be sent requests: each goes out with the messages of its call and is waited for. */
import {
  writeNotification,
  type InputRequiredResult,
  type JsonObject,
  type Revision,
  type WrittenServerRequest,
  weightOfValue,
} from '@sigil-mcp/protocol';
import { endedCall } from '../errors/failures';
import type { Questions } from './questions';
import { memoryOf, newCallId, type CallMemory, type StoredValue } from './call-memory';
import type { PendingQuestions, PendingQuestion } from './pending-questions';
import type { Clock } from '@sigil-mcp/base';
import type { Question } from './question';

/** Bytes of memory of an answer that is kept for as long as the conversation; a heavier one is asked for again each time. */
const HEAVIEST = 16 * 1024;

/** Keeps the client's answer to `roots/list` for one conversation. */
export class CachedRoots {
  #result: JsonObject | undefined;
  #changes = 0;
  #giveBack: (() => void) | undefined;

  /** @param count counts bytes of memory for as long as the answer is kept; it returns what gives them back */
  constructor(private readonly count: (bytes: number) => () => void) {}

  /** The client's last answer; undefined before there was one, and where its roots have changed since. */
  get result(): JsonObject | undefined {
    return this.#result;
  }

  /** Called when the client is asked. Returns a function that takes the answer and keeps it if no roots changed meanwhile. */
  expect(): (result: JsonObject) => void {
    const before = this.#changes;
    return (result) => {
      const weight = weightOfValue(result, HEAVIEST);
      if (before !== this.#changes || weight > HEAVIEST) return;
      this.#giveBack?.();
      this.#giveBack = this.count(weight);
      this.#result = result;
    };
  }

  /** Drops the answer, because the client says that its roots have changed. */
  forget(): void {
    this.#changes += 1;
    this.#result = undefined;
    this.#giveBack?.();
    this.#giveBack = undefined;
  }
}

/** The conversation that questions are sent in. */
export interface QuestionChannel {
  readonly revision: Revision;
  /** Sends one message of ours that belongs to the call. */
  readonly send: (text: string) => void;
  /** Why the client cannot be asked anything; undefined if it can. */
  readonly unreachable: string | undefined;
  /** The questions of the conversation that wait for an answer. */
  readonly open: PendingQuestions;
  /** The client's roots, once it was asked; undefined if the client does not report changes of them. */
  readonly roots: CachedRoots | undefined;
  readonly clock: Clock;
  /** Counts the memory of an answer, in bytes, for as long as its call may use it. Throws `Denial` if the limit is reached. */
  readonly hold: (bytes: number) => void;
}

/** The questions of one call. */
export class SentQuestions implements Questions {
  readonly round = 1;
  readonly callId = newCallId();
  readonly #kept = new Map<string, StoredValue>();
  readonly #asked = new Set<PendingQuestion>();
  #closedBy: Error | undefined;

  constructor(private readonly conversation: QuestionChannel) {}

  get unreachable(): string | undefined {
    return this.conversation.unreachable;
  }

  sends({ request }: Question): boolean {
    return request.method !== 'roots/list' || this.conversation.roots?.result === undefined;
  }

  ask(question: Question): Promise<JsonObject> {
    if (this.#closedBy) return Promise.reject(this.#closedBy);
    const { roots } = this.conversation;
    if (!roots || question.request.method !== 'roots/list') return this.#send(question);
    if (roots.result) return Promise.resolve(roots.result);
    const keep = roots.expect();
    return this.#send(question).then((result) => {
      if (this.#isReadable(question, result)) keep(result);
      return result;
    });
  }

  recall(key: string): StoredValue | undefined {
    return this.#kept.get(key);
  }

  get memory(): CallMemory {
    return memoryOf({ callId: this.callId, answers: new Map(), kept: this.#kept });
  }

  keep(key: string, kept: StoredValue): void {
    this.#kept.set(key, kept);
  }

  /** Withdraws what was asked and not awaited, before the answer goes out. There is never anything left to ask. */
  settle(): InputRequiredResult | undefined {
    this.close(endedCall('SIGIL_CALL_ANSWERED'));
    return undefined;
  }

  close(reason: Error): void {
    this.#closedBy ??= reason;
    for (const asked of this.#asked) asked.cancel(reason);
  }

  #send({ request, label, timeout, meta }: Question): Promise<JsonObject> {
    const { revision, send, open, clock, hold } = this.conversation;
    const asked = open.ask(withMeta(revision.writeServerRequest(request), meta), {
      label,
      timeout,
      clock,
      send,
      hold,
      withdraw: (requestId, reason) => this.#withdraw(requestId, reason),
    });
    this.#asked.add(asked);
    return asked.answer.finally(() => this.#asked.delete(asked));
  }

  /** Whether an answer can be read: one that is malformed is good for one error, and not for keeping. */
  #isReadable({ request }: Question, result: JsonObject): boolean {
    try {
      this.conversation.revision.readServerResult(request, result);
      return true;
    } catch {
      return false;
    }
  }

  #withdraw(requestId: string, reason: string): void {
    const written = this.conversation.revision.writeNotification({
      method: 'notifications/cancelled',
      requestId,
      reason,
    });
    if (written) this.conversation.send(writeNotification(written));
  }
}

function withMeta(written: WrittenServerRequest, meta: JsonObject): WrittenServerRequest {
  if (Object.keys(meta).length === 0) return written;
  return { ...written, params: { ...written.params, _meta: meta } };
}
