/**
 * A short form of `npm run account`: a process with little heap and every extension on, which three clients fill with each kind of thing that a
 * server keeps for them. It lives, answers another client, and names the limit where it refuses.
 */
import { fillPantry, openPantry } from './fill-pantry';
import { HOARDS } from './hoards';

const MIB = 1024 * 1024;
const SMALL = {
  heap: 112,
  limits: { messageBytes: MIB / 2, heldPerClient: 2 * MIB, held: 32 * MIB },
  endpoint: { unread: 28 * MIB, unreadPerClient: 2 * MIB, events: MIB, sessions: 240, streams: 150 },
};

/** Those that need minutes: compilers of scripts, and thousands of requests. */
const LONG = ['scripts, of which most wait for their turn', 'audit records that their sink does not take'];

it.each(HOARDS.filter(({ what }) => !LONG.includes(what)))(
  'three clients cannot end a process with $what',
  async (hoard) => {
    const server = await openPantry(SMALL);
    try {
      const filled = await fillPantry(server, hoard, 3, { size: 100_000 });
      expect({ ended: filled.ended, stderr: filled.ended && server.stderr }).toEqual({
        ended: undefined,
        stderr: undefined,
      });
      expect(filled.answer).toContain('still there');
      expect(filled.limits.length > 0).toBe(hoard.isRefused);
      expect(filled.all).toBeLessThanOrEqual(SMALL.limits.held);
    } finally {
      await server.end();
    }
  },
  60_000,
);
