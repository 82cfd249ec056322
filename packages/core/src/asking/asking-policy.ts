/** The settings with which the calls of one server ask their clients. */
import type { Shapes } from '@sigil-mcp/schema';
import type { RequestStates } from './request-states';

/** Made once from the options of a server; every call of it asks by this. */
export interface AskingPolicy {
  /** Compiles the forms. */
  readonly shapes: Pick<Shapes, 'form'>;
  /** Seals what is known of a call while it is with the client. */
  readonly states: RequestStates;
  /** Milliseconds that a client has to answer where it is waited for, if the question does not say. */
  readonly answerTimeout: number;
}
