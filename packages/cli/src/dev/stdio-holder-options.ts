/** What a holder of a pipe is made of. */
import type { Readable, Writable } from 'node:stream';
import type { Clock } from '@sigil-mcp/core/adapter';
import type { Crash } from '../causes/crash-report';
import type { CallLines } from './call-lines';
import type { ChildEnd, ChildOptions } from './child-server';
import type { QuestionWatcher } from './held-questions';
import type { SecondLine } from './second-line';
import type { Tap } from './tap';

/** The two ends of the pipe, and the server behind it. */
export interface StdioHolderOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly child: Omit<ChildOptions, 'program' | 'speaks' | 'clock'>;
  /** Called when the server ended unexpectedly. */
  readonly onDeath: (end: ChildEnd, crash: Crash | undefined) => void;
  /** Writes a line for each call; none if left out. */
  readonly calls?: CallLines | undefined;
  /** Notes each message; nobody does if left out. */
  readonly tap?: Tap | undefined;
  /** Is shown the questions to clients; nobody is if left out. */
  readonly questions?: QuestionWatcher | undefined;
  /** A second client on the same pipe to the server; none if left out. */
  readonly second?: SecondLine | undefined;
  /** Called when the client closed the pipe. */
  readonly onHangUp: () => void;
  /** Measures how long requests have waited; the system clock if left out. */
  readonly clock?: Clock;
}
