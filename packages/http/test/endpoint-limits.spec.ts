/** The share of one client in a limit of an endpoint follows from that limit, unless it is set. */
import { endpointLimitsOf, settingsOf } from '../src/options/endpoint-options';

const MEBIBYTE = 1024 * 1024;

/** A share, its limit, and for values of the limit what the share is. */
const SHARES = [
  ['sessionsPerClient', 'sessions', 1000, { 30: 3, 31: 4, 1: 1 }],
  ['streamsPerClient', 'streams', 1000, { 30: 3, 31: 4, 1: 1 }],
  ['unreadPerClient', 'unread', 32 * MEBIBYTE, { 30: 10, 31: 11, 1: 1 }],
] as const;

describe.each(SHARES)('%s', (share, all, usual, examples) => {
  it('has its default, also if the limit of all clients is turned off or undefined', () => {
    for (const limits of [{}, { [all]: Infinity }, { [all]: undefined, [share]: undefined }])
      expect(endpointLimitsOf(limits)[share]).toBe(usual);
  });

  it('follows from the limit of all clients, rounded up', () => {
    const derived = Object.keys(examples).map((most) => [most, endpointLimitsOf({ [all]: Number(most) })[share]]);
    expect(derived).toEqual(Object.entries(examples));
  });

  it('is what it is set to, and may be the whole or none, but not more', () => {
    for (const value of [1, 7, 10, Infinity])
      expect(endpointLimitsOf({ [all]: 10, [share]: value })[share]).toBe(value);
    expect(() => endpointLimitsOf({ [all]: 10, [share]: 11 })).toThrow(
      `the limit ${share} of one client is 11, but ${all}, the limit of all clients, is 10. `,
    );
  });
});

it('the number of sessions may still be said where it was before, unless it is among the limits, too', () => {
  const server = { messageBytes: MEBIBYTE, held: Infinity };
  const limitsOf = (options: Parameters<typeof settingsOf>[0]): readonly number[] => {
    const { sessions, sessionsPerClient } = settingsOf(options, server).limits;
    return [sessions, sessionsPerClient];
  };
  expect(limitsOf({ sessions: { maximum: 30 } })).toEqual([30, 3]);
  expect(limitsOf({ sessions: { maximum: 30 }, limits: { sessions: 50 } })).toEqual([50, 5]);
  expect(() => limitsOf({ sessions: { maximum: 0 } })).toThrow('sessions');
});

it('every limit of one client is such a share', () => {
  const names = Object.keys(endpointLimitsOf()).filter((name) => name.endsWith('PerClient'));
  expect(names.sort()).toEqual(SHARES.map(([share]) => share).sort());
});

it('unread answers and events have their part of the memory for all clients, unless it has no limit or they have their own', () => {
  const partsOf = (held: number, limits = {}): readonly number[] => {
    const { unread, unreadPerClient, events } = endpointLimitsOf(limits, held);
    return [unread, unreadPerClient, events].map((bytes) => bytes / MEBIBYTE);
  };
  expect(partsOf(192 * MEBIBYTE)).toEqual([96, 32, 32]);
  expect(partsOf(36 * MEBIBYTE)).toEqual([18, 6, 6]);
  expect(partsOf(Infinity)).toEqual([96, 32, 32]);
  expect(partsOf(36 * MEBIBYTE, { unread: 30 * MEBIBYTE, events: MEBIBYTE })).toEqual([30, 10, 1]);
});
