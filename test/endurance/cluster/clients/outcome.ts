/** What becomes of a call, and whether that needs an excuse. */
import type { Message } from '../../../support/transcript';
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
export interface Call {
  readonly what: string;
  /** When it began, in milliseconds of the timeline. */
  readonly since: number;
  /** The processes that it met, as far as that is known. */
  readonly lanes: readonly number[];
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
