/** `ping`. */
import type { MethodHandler } from '../method-handler';

/** Answers with nothing but the answer: the server is there. */
export function ping(): MethodHandler<'ping'> {
  return { method: 'ping', isUnlimited: true, handle: () => ({}) };
}
