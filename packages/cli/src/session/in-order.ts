/** Delivers messages in the order in which they arrived. */
import type { Message, Transport } from '../official-client';

type MessageListener = NonNullable<Transport['onmessage']>;

/**
 * Makes the official client handle a notification before the response that follows it. The client handles responses at once and
 * notifications a moment later, so the last progress of a call, which arrives with the result, would find no listener.
 * @param alter changes messages of the server before the client sees them; none if left out
 * @returns the same transport
 */
export function inOrder<T extends Transport>(transport: T, alter: (message: Message) => Message = (same) => same): T {
  let hear: MessageListener | undefined;
  const deliver: MessageListener = (message: Message, ...extra) => {
    const take = (): void => hear?.(alter(message), ...extra);
    if ('method' in message) take();
    else setImmediate(take);
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => hear && deliver,
    set: (given: MessageListener | undefined) => (hear = given),
  });
  return transport;
}
