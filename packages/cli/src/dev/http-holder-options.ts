/** What an HTTP holder is made of. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@sigil-mcp/core/adapter';
import type { Crash } from '../causes/crash-report';
import type { CallLines } from './call-lines';
import type { ChildEnd, ChildOptions } from './child-server';
import type { QuestionWatcher } from './held-questions';
import type { Tap } from './tap';

/** The port, and the server behind it. */
export interface HttpHolderOptions {
  readonly port: number;
  readonly host: string;
  readonly child: Omit<ChildOptions, 'program' | 'speaks' | 'clock'>;
  /** Called when the server ended unexpectedly. */
  readonly onDeath: (end: ChildEnd, crash: Crash | undefined) => void;
  /** Writes a line for each call; none if left out. */
  readonly calls?: CallLines | undefined;
  /** Notes each message; nobody does if left out. */
  readonly tap?: Tap | undefined;
  /** Is shown the questions to clients; nobody is if left out. */
  readonly questions?: QuestionWatcher | undefined;
  /** Answers the requests that are not for the server; all are for the server if left out. @returns whether it takes the request */
  readonly front?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;
  /** Milliseconds after which a restart drops an unused session. */
  readonly idle?: number;
  /** Measures how long requests have waited; the system clock if left out. */
  readonly clock?: Clock;
}
