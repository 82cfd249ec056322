/** Stores that break a promise now and then: each such way has to be seen by somebody. */
import type { Stores } from '@sigil-mcp/core/stores';
import { hasDefect, showsDefect } from './defect';
import { overriding } from './overriding';

/** The stores as they are, unless a defect is wanted. */
export function defectiveStores(stores: Stores): Stores {
  return overriding(stores, {
    sessions: overriding(stores.sessions, {
      // What is ended here is not ended for others.
      end: (real, given) => (hasDefect('undying-sessions') ? true : real(...given)),
    }),
    streams: overriding(stores.streams, {
      // Nobody ends what its owner did not: whoever comes back waits for ever.
      end: (real, given) => (hasDefect('endless-streams') ? true : real(...given)),
      read: async (real, given) => distort(await real(...given)),
    }),
    bus: overriding(stores.bus, {
      announce: (real, given) => (showsDefect('deaf-bus') ? undefined : real(...given)),
      send: (real, given) => (showsDefect('deaf-bus') ? true : real(...given)),
    }),
  });
}

/** Loses an event of what was read, or has one twice. */
function distort(part: unknown): unknown {
  const { events = [] } = (part ?? {}) as { readonly events?: readonly unknown[] };
  if (events.length > 0 && showsDefect('lost-events')) return { ...(part as object), events: events.slice(1) };
  if (events.length > 0 && showsDefect('repeated-events'))
    return { ...(part as object), events: [...events.slice(0, 1), ...events] };
  return part;
}
