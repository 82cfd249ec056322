/** `logging/setLevel`. */
import type { MethodHandler } from '../method-handler';

/** Sets the least severe level that the client wants to hear from now on. */
export function setLogLevel(): MethodHandler<'logging/setLevel'> {
  return {
    method: 'logging/setLevel',
    isLight: true,
    capability: 'logging',
    handle({ params, conversation }) {
      conversation.lasting?.setLogLevel(params.level);
      return {};
    },
  };
}
