/** One thing that `sigil doctor` looks at. */
import type { ReadSetup } from './read-setup';

/** Something that is wrong. */
export interface Finding {
  /** One sentence. */
  readonly what: string;
  /** What to do about it, one sentence. */
  readonly mend: string;
}

/** Looks at a project. */
export interface Check {
  /** What is so if nothing is wrong: "Node is new enough". */
  readonly title: string;
  find(setup: ReadSetup): readonly Finding[];
}
