/** The questions of detached work: its request was answered, so they go the way that the code which detached it offers. */
import type { InputRequiredResult, JsonObject, Revision } from '@sigil-mcp/protocol';
import type { CallMemory } from '../asking/call-memory';
import type { Question } from '../asking/question';
import type { Questions } from '../asking/questions';
import type { StoredValue } from '../asking/stored-value';
import type { DetachOptions } from './detached-call';

/** Takes the place of the questions that the call had before. */
export class DetachedQuestions implements Questions {
  readonly isDetached = true;
  readonly #kept = new Map<string, StoredValue>();
  readonly unreachable: string | undefined;

  constructor(
    private readonly before: Pick<Questions, 'round' | 'callId' | 'recall' | 'memory'>,
    private readonly way: DetachOptions['onQuestion'],
    private readonly call: { readonly revision: Revision; readonly signal: AbortSignal },
  ) {
    this.unreachable = way ? undefined : 'The request was answered, and the work goes on without a way to the client.';
  }

  get round(): number {
    return this.before.round;
  }

  get callId(): string {
    return this.before.callId;
  }

  async ask({ key, request }: Question): Promise<JsonObject> {
    const { revision, signal } = this.call;
    // Asking checks `unreachable` first.
    return (await this.way?.(key, revision.writeServerRequest(request), signal)) ?? {};
  }

  recall(key: string): StoredValue | undefined {
    return this.#kept.get(key) ?? this.before.recall(key);
  }

  get memory(): CallMemory {
    const { memory } = this.before;
    return { ...memory, kept: { ...memory.kept, ...Object.fromEntries(this.#kept) } };
  }

  keep(key: string, kept: StoredValue): void {
    this.#kept.set(key, kept);
  }

  settle(): InputRequiredResult | undefined {
    return undefined;
  }

  close(): void {
    // They end with the signal of the work.
  }
}
