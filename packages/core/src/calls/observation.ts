/** What watches one call, as the parts of a call see it; a call that nobody watches has none. */
import type { QuestionOutcome } from '../asking/question';
import type { Guard, Verdict } from '../context/guard';
import type { Call } from '../context/call';
import type { Notes, ObservedQuestion, RequestOutcome } from '../context/observer';

/** What a call runs. */
export interface InnerRequest {
  readonly method: string;
  readonly params: object;
}

/** What watches a call that another call runs. */
export interface InnerObservation extends Observation {
  /** What it is about was found. */
  opened(call: Call): void;
  run<T>(next: () => T): T;
  ended(outcome: RequestOutcome): void;
}

/** Never throws. */
export interface Observation {
  judged(guard: Guard, verdict: Verdict): void;
  /** A stage of the call begins. @returns called when it has ended */
  stage(name: string): () => void;
  /** A step of `context.once` has ended. @param isKept whether it ran in an earlier round */
  once(key: string, isKept: boolean): void;
  /** @returns called when the question has ended */
  asked(question: ObservedQuestion): (outcome: QuestionOutcome) => void;
  /** The call runs another. @returns what watches that; undefined if nobody does */
  inner(request: InnerRequest): InnerObservation | undefined;
  /** What observers note for the next request of the call; undefined for nothing. */
  readonly notes: Notes | undefined;
}
