/** Messages in the order in which they came. */
import type { Message, Transport } from '../official-client';

type Hear = NonNullable<Transport['onmessage']>;

/**
 * Lets the official client deal with a notification before the response behind it. It takes responses at once and notifications a moment later, so
 * that the last report on a call's progress, which comes with the result, would find nobody who waits for it.
 * @returns the same transport
 */
export function inOrder<T extends Transport>(transport: T): T {
  let hear: Hear | undefined;
  const deliver: Hear = (message: Message, ...extra) => {
    const take = (): void => hear?.(message, ...extra);
    if ('method' in message) take();
    else setImmediate(take);
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => hear && deliver,
    set: (given: Hear | undefined) => (hear = given),
  });
  return transport;
}
