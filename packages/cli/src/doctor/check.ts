/** One check of `sigil doctor`. */
import type { ReadSetup } from './read-setup';

/** A problem. */
export interface Finding {
  /** The problem, in one sentence. */
  readonly problem: string;
  /** The fix, in one sentence. */
  readonly fix: string;
}

/** A check of a project. */
export interface ProjectCheck {
  /** The sentence that is true if there is no problem: "Node is new enough". */
  readonly title: string;
  find(setup: ReadSetup): readonly Finding[];
}
