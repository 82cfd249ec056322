/** Counts what a session holds from before it is opened: where there is no room for it, none is opened. */
import type { Conversation, Kernel } from '@sigil-mcp/core/adapter';
import type { Session } from './session';

/**
 * Opens a session whose conversation is counted among what its client makes the server hold, until the session is over.
 * @throws Denial where there is no room, and what `open` throws
 */
export function holding(kernel: Kernel, conversation: Conversation, open: () => Session): Session {
  return orGiveBack(kernel.hold(conversation), open);
}

/** Opens something for which room was taken before: where that throws, the room is given back. */
export function orGiveBack<T>(giveBack: () => void, open: () => T): T {
  try {
    return open();
  } catch (error) {
    giveBack();
    throw error;
  }
}
