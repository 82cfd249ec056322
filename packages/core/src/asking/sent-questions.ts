/** Questions to a client that can be sent requests: each goes out with the messages of its call and is waited for. */
import {
  writeNotification,
  type InputRequiredResult,
  type JsonObject,
  type Revision,
  type WrittenServerRequest,
} from '@sigil-mcp/protocol';
import { endedCall } from '../errors/ended-call';
import type { Questions } from './questions';
import type { StoredValue } from './stored-value';
import { memoryOf, type CallMemory } from './call-memory';
import { newCallId } from './journal';
import type { CachedRoots } from './cached-roots';
import type { PendingQuestion } from './pending-question';
import type { PendingQuestions } from './pending-questions';
import type { Clock } from '@sigil-mcp/base';
import type { Question } from './question';

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
