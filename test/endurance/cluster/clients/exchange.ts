/** One request and all that becomes of it, over as many connections as it takes. */
import type { Message } from '../../../support/transcript';
import { reasonOf } from './send';
import { type InSession } from './in-session';
import { StreamRecord, resume } from './standing-stream';
import { until } from '../until';
import type { World } from '../world';

/** How a call ended for its client. */
export type Outcome =
  | { readonly kind: 'result'; readonly result: Message; readonly lane: number }
  | { readonly kind: 'error'; readonly code: unknown; readonly why: string }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'refused' }
  /** The session was over. */
  | { readonly kind: 'over' }
  /** It did not end. */
  | { readonly kind: 'none' };

/** A call, for the book. */
interface Call {
  readonly what: string;
  /** When it began, in milliseconds of the timeline. */
  readonly since: number;
  /** The processes that it met, as far as that is known. */
  readonly lanes: readonly number[];
}

/** Who wants to know more than the outcome. */
export interface ExchangeOptions {
  /** Given what comes before the answer. */
  readonly onMessage?: (message: Message) => void;
  /** Fires when the client lets the connection go. */
  readonly abandoned?: AbortSignal;
  /** Whether nobody waits for an answer any more, as after a cancellation: then there need be none. */
  readonly isUnwanted?: () => boolean;
}

/** From a POST to an answer. */
export class Exchange {
  readonly #record: StreamRecord;
  readonly #signal: AbortSignal;
  #answer: Message | undefined;

  constructor(
    private readonly client: InSession,
    private readonly message: Message,
    private readonly options: ExchangeOptions,
  ) {
    const { world } = client;
    this.#signal = until(world.patience, ...(options.abandoned ? [options.abandoned] : []));
    this.#record = new StreamRecord(this.#what, world.ledger);
  }

  /** Sends the request, and enters its outcome into the book. */
  async run(): Promise<Outcome> {
    const { world } = this.client;
    const since = world.timeline.now;
    const outcome = await this.#send();
    if (!this.options.isUnwanted?.()) enter(world, { what: this.#what, since, lanes: this.#record.lanes }, outcome);
    return outcome;
  }

  get #what(): string {
    const { name: tool } = this.message['params'] as { readonly name?: string };
    return `${this.client.name}: ${tool ?? String(this.message['method'])}`;
  }

  async #send(): Promise<Outcome> {
    const arrival = await this.client.sendInSession({ message: this.message, signal: this.#signal });
    if (arrival.kind === 'late') return { kind: 'none' };
    if (arrival.kind === 'broken') return arrival;
    const { response, lane } = arrival;
    this.#record.lanes.push(lane);
    if (this.client.isLost(response)) return { kind: 'over' };
    if (response.status === 503) return { kind: 'refused' };
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) return this.#follow(response);
    return this.#readWhole(response);
  }

  async #readWhole(response: Response): Promise<Outcome> {
    try {
      const text = await response.text();
      if (response.status !== 200) return { kind: 'error', code: response.status, why: text };
      this.#take(JSON.parse(text) as Message);
      return this.#outcome();
    } catch (error) {
      return this.#signal.aborted ? { kind: 'none' } : { kind: 'broken', why: reasonOf(error) };
    }
  }

  /** Reads the stream, and comes back for it, until the answer is there. */
  async #follow(first: Response): Promise<Outcome> {
    const { world } = this.client;
    for (let response: Response | undefined = first; response;) {
      await this.#record.read(response, (message) => this.#take(message));
      if (this.#answer) return this.#outcome();
      if (this.#signal.aborted) return { kind: 'none' };
      this.#record.brokenAt = world.timeline.now;
      if (this.#record.last === undefined) return { kind: 'broken', why: 'the stream broke before it had an id' };
      response = await resume(this.client, this.#record, this.#signal);
    }
    if (this.#signal.aborted) return { kind: 'none' };
    return this.client.isOpen ? { kind: 'broken', why: 'the stream is not kept' } : { kind: 'over' };
  }

  /** @returns whether this is the answer */
  #take(message: Message): boolean {
    if ('method' in message) {
      this.options.onMessage?.(message);
      return false;
    }
    if (message['id'] !== this.message['id']) {
      const how = `${this.#what} got the answer to ${JSON.stringify(message['id'])}`;
      this.client.world.ledger.break('wrong answers', how);
      return false;
    }
    this.#answer = message;
    return true;
  }

  #outcome(): Outcome {
    const { error, result } = (this.#answer ?? {}) as { error?: { code: unknown; message: string }; result?: Message };
    if (error) return { kind: 'error', code: error.code, why: error.message };
    return { kind: 'result', result: result ?? {}, lane: this.#record.lanes[0] ?? -1 };
  }
}

/** Writes an outcome into the book, and what is wrong with it. */
export function enter({ ledger, timeline, isCalm }: World, { what, since, lanes }: Call, outcome: Outcome): void {
  const hasCause = timeline.redisAway(since) || lanes.some((lane) => timeline.disturbed(lane, since));
  switch (outcome.kind) {
    case 'result':
      return ledger.count('calls answered');
    case 'error':
      ledger.count('calls that ended with an error');
      if (!hasCause) ledger.break('wrong answers', `${what} ended with ${String(outcome.code)}: ${outcome.why}`);
      return;
    case 'broken':
      ledger.count('calls whose connection broke');
      if (isCalm) ledger.break('calls without an outcome', `the connection of ${what} broke: ${outcome.why}`);
      return;
    case 'refused':
      ledger.count('calls refused with 503');
      if (!timeline.redisAway(since)) ledger.break('wrong answers', `${what} was refused with 503`);
      return;
    case 'none':
      return ledger.break('calls without an outcome', `${what} (process ${lanes.join(', then ')}) did not end`);
    case 'over':
    // The loss of the session is counted as such.
  }
}

/** The text of a tool's result. */
export function textOf(result: Message): string {
  const [first] = (result['content'] ?? []) as readonly { readonly text?: string }[];
  return first?.text ?? JSON.stringify(result);
}
