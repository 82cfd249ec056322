/** Limits how many calls of a tool run at the same time. Further calls wait in a queue; cancelled ones leave it. */
import { countedFor, type RunningCall } from '../calls/running-call';
import { waitForTurn } from '../calls/wait-for-turn';
import { isPromise, type MaybePromise } from '@sigil-mcp/base';
import { ToolFailure } from '../errors/failures';
import { LOCAL_CLIENT } from '../limits/client-key';
import { ClientTurns, Places, type Concurrency } from '../limits/client-turns';
import type { Step } from './compose-interceptors';

/**
 * Runs a step so many times at once. The next begins when one of them has settled: clients take turns, and the first to wait of a client comes
 * before its others.
 * @param patience milliseconds that a call waits at most; undefined for no limit
 */
export function limitConcurrency(
  most: Concurrency,
  patience: number | undefined,
  next: Step<RunningCall>,
): Step<RunningCall> {
  const line = new CallQueue(most);
  return (call) => {
    const place = { line, client: ownerOf(call) };
    if (line.enter(place.client)) return run(next, call, place);
    return waitInLine(call, place, patience).then(() => run(next, call, place));
  };
}

/** Undefined for a local client: it is alone, or each connection is one of its user. */
function ownerOf(call: RunningCall): unknown {
  if (call.exchange.caller.kind === 'local') return undefined;
  const client = countedFor(call);
  // A transport without addresses has connections.
  return client === LOCAL_CLIENT ? call.conversation.running.load : client;
}

/** Where a call runs. */
interface QueueSlot {
  readonly line: CallQueue;
  readonly client: unknown;
}

function run(next: Step<RunningCall>, call: RunningCall, { line, client }: QueueSlot): MaybePromise<unknown> {
  let result: MaybePromise<unknown>;
  try {
    result = next(call);
  } catch (error) {
    line.leave(client);
    throw error;
  }
  if (isPromise(result)) return result.finally(() => line.leave(client));
  line.leave(client);
  return result;
}

/** A call that has waited for too long is answered with the reason. */
async function waitInLine(call: RunningCall, { line, client }: QueueSlot, patience: number | undefined): Promise<void> {
  const late = new AbortController();
  const signal = patience === undefined ? call.signal : AbortSignal.any([call.signal, late.signal]);
  const timer = patience === undefined ? undefined : call.clock.after(patience, () => late.abort(busy(call, patience)));
  try {
    await waitForTurn(call, line.turn(client, signal), nameOf(call));
  } finally {
    timer?.close();
  }
}

function nameOf({ entry }: RunningCall): string {
  return entry?.key ?? '';
}

function busy(call: RunningCall, patience: number): ToolFailure {
  const words = `The tool ${nameOf(call)} is busy: this call has waited for ${patience} ms while others ran. Call it again later.`;
  call.note('warn', words);
  return new ToolFailure(words);
}

class CallQueue {
  readonly #places: Places;
  readonly #waiting = new ClientTurns<() => void>();

  constructor({ calls, perClient }: Concurrency) {
    this.#places = new Places(calls, (client) => (client === undefined ? calls : perClient));
  }

  /** Takes a place, if there is one for this client. */
  enter(client: unknown): boolean {
    if (!this.#places.hasRoom(client)) return false;
    this.#places.take(client);
    return true;
  }

  /** Gives a place back, and the places that there are to the next calls. */
  leave(client: unknown): void {
    this.#places.give(client);
    for (let next = this.#waiting.take(this.#places); next; next = this.#waiting.take(this.#places)) next.item();
  }

  /** Resolves with a place; rejects with the signal's reason. */
  turn(client: unknown, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#waiting.delete(client, begin);
        reject(signal.reason as Error);
      };
      if (signal.aborted) return giveUp();
      this.#waiting.add(client, begin);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}
