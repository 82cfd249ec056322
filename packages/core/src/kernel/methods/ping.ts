/** `ping`. */
import type { MethodHandler } from '../method-handler';

/** Says that the server is there. */
export function ping(): MethodHandler<'ping'> {
  return { method: 'ping', handle: () => ({}) };
}
