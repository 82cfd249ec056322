/** One thing that `sigil doctor` looks at. */
import type { ReadSetup } from './read-setup';

/** Something that is wrong. */
export interface Finding {
  /** What is wrong, one sentence. */
  readonly what: string;
  /** What fixes it, one sentence. */
  readonly fix: string;
}

/** A question about a project, and how it is answered. */
export interface Check {
  /** The sentence that is true if nothing is wrong: "Node is new enough". */
  readonly title: string;
  find(setup: ReadSetup): readonly Finding[];
}
