/** Where a call comes from. */
import type { Conversation } from './conversation';
import type { Exchange } from './exchange';

/** The way a call came in: whose conversation, and on which exchange. */
export interface Origin {
  readonly conversation: Conversation;
  readonly exchange: Exchange;
}
