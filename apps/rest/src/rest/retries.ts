/** Retries: which requests are repeated, how long to wait, and when to give up. */
import { setTimeout as delay } from 'node:timers/promises';
import { ToolFailure } from '@sigil-mcp/core';
import type { Patience } from './rest-settings';

/** A response, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** The API is overloaded, or its proxy cannot reach it: worth a retry. */
const PASSING = [429, 502, 503, 504];

/**
 * Repeats a request until a retry would not change the response.
 * @param send one attempt
 * @param signal also ends the pauses
 * @throws ToolFailure that says when to try again
 */
export async function withRetries(
  send: () => Promise<Answer>,
  { tries, firstWait, longestWait }: Patience,
  signal: AbortSignal,
): Promise<Answer> {
  for (let tried = 1; ; tried += 1) {
    const answer = await send().catch((error: unknown) => {
      signal.throwIfAborted(); // the caller has gone
      return error;
    });
    if (isAnswer(answer) && !PASSING.includes(answer.status)) return answer;
    const backoff = firstWait * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
    const wait = (isAnswer(answer) ? retryAfter(answer.headers) : undefined) ?? backoff;
    if (tried === tries || wait > longestWait) throw unavailable(answer, wait);
    await delay(wait, undefined, { signal });
  }
}

function isAnswer(outcome: unknown): outcome is Answer {
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome;
}

/** @returns milliseconds; the header contains seconds or a date */
function retryAfter(headers: Headers): number | undefined {
  const said = headers.get('retry-after');
  if (said === null) return undefined;
  const wait = /^\d+$/.test(said) ? Number(said) * 1000 : Date.parse(said) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}

function unavailable(outcome: unknown, wait: number): ToolFailure {
  const why = isAnswer(outcome)
    ? `answers with HTTP ${outcome.status}`
    : (outcome as Error).name === 'TimeoutError' // of AbortSignal.timeout
      ? 'does not answer in time'
      : 'cannot be reached';
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new ToolFailure(`The tracker ${why}. Try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`);
}
