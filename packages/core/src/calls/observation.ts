/** What watches one call, as the parts of a call see it; a call that nobody watches has none. */
import type { QuestionOutcome } from '../asking/question';
import type { Guard, Verdict } from '../context/call';
import type { Notes, ObservedQuestion } from '../context/observer';

/** Never throws. */
export interface Observation {
  judged(guard: Guard, verdict: Verdict): void;
  /** A stage of the call begins. @returns called when it has ended */
  stage(name: string): () => void;
  /** A step of `context.once` has ended. @param isKept whether it ran in an earlier round */
  once(key: string, isKept: boolean): void;
  /** @returns called when the question has ended */
  asked(question: ObservedQuestion): (outcome: QuestionOutcome) => void;
  /** What observers note for the next request of the call; undefined for nothing. */
  readonly notes: Notes | undefined;
}
