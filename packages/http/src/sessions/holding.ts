/** Counts what a session holds before it is opened: without room for it, it is not opened. */
import type { Conversation, Kernel } from '@sigil-mcp/core/adapter';
import type { Session } from './session';

/**
 * Opens a session whose conversation is counted among the load of its client until the session ends.
 * @throws Denial if there is no room, and errors of `open`
 */
export function holding(kernel: Kernel, conversation: Conversation, open: () => Session): Session {
  return orGiveBack(kernel.hold(conversation), open);
}

/** Opens something for which room was reserved: if that throws, the room is released. */
export function orGiveBack<T>(giveBack: () => void, open: () => T): T {
  try {
    return open();
  } catch (error) {
    giveBack();
    throw error;
  }
}
