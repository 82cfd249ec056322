/** What the actors of a run have in common. */
import type { Ledger } from './record/ledger';
import type { Timeline } from './record/timeline';
import type { Marks } from './processes/instance';

/** A cluster, and what is known of it. */
export interface World {
  /** Of the proxy: `http://127.0.0.1:4711`. */
  readonly origin: string;
  /** How many processes there are. */
  readonly processes: number;
  /** Milliseconds after which whatever has not happened never will. */
  readonly patience: number;
  /** Whether nothing is done to the cluster, so that nothing has an excuse. */
  readonly isCalm: boolean;
  readonly ledger: Ledger;
  readonly timeline: Timeline;
  readonly marks: Marks;
  /** Fires when actors come to their end. */
  readonly over: AbortSignal;
}
