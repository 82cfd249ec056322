/** `logging/setLevel`. */
import type { MethodHandler } from '../method-handler';

/** Sets the lowest level of log messages that the client receives from now on. */
export function setLogLevel(): MethodHandler<'logging/setLevel'> {
  return {
    method: 'logging/setLevel',
    isUnlimited: true,
    capability: 'logging',
    handle({ params, conversation }) {
      conversation.lasting?.setLogLevel(params.level);
      return {};
    },
  };
}
