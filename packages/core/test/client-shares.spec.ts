/** The share of one client in a limit of all clients follows from that limit, unless it is set. */
import { createServer } from '../src';
import { limitsOf, type ServerLimits } from '../src/limits/server-limits';

const MEBIBYTE = 1024 * 1024;

/** A share, its limit, and for values of the limit what the share is. */
const SHARES = [
  ['heldPerClient', 'held', 32 * MEBIBYTE, { 600: 100, 601: 101, 1: 1 }],
  ['callsPerClient', 'calls', 1000, { 30: 3, 31: 4, 1: 1 }],
  ['subscriptionsPerClient', 'subscriptions', 1000, { 500: 5, 501: 6, 1: 1 }],
] as const;

describe.each(SHARES)('%s', (share, all, usual, examples) => {
  const make = (limits: ServerLimits) => createServer({ name: 'x', version: '1.0.0', logger: false, limits });

  it('has its default, also if the limit of all clients is turned off or undefined', () => {
    for (const limits of [{}, { [all]: Infinity }, { [all]: undefined, [share]: undefined }])
      expect(limitsOf(limits)[share]).toBe(usual);
  });

  it('follows from the limit of all clients, rounded up', () => {
    const derived = Object.keys(examples).map((most) => [most, limitsOf({ [all]: Number(most) })[share]]);
    expect(derived).toEqual(Object.entries(examples));
  });

  it('is what it is set to, and may be the whole or none', () => {
    for (const value of [1, 7, 10, Infinity]) {
      const limits = { [all]: 10, [share]: value };
      expect(limitsOf(limits)[share]).toBe(value);
      expect(() => make(limits)).not.toThrow();
    }
  });

  it('of the only client is what others cannot use, unless it is set', () => {
    const ofOnly = (limits: ServerLimits) => limitsOf(limits).ofOnlyClient[share];
    expect([ofOnly({}), ofOnly({ [all]: Infinity })]).toEqual([usual, usual]);
    expect([ofOnly({ [all]: 8 }), ofOnly({ [all]: usual + 1 })]).toEqual([8, usual]);
    expect(ofOnly({ [all]: 1000 * usual })).toBe(limitsOf({ [all]: 1000 * usual })[share]);
    expect([ofOnly({ [all]: 8, [share]: 3 }), ofOnly({ [share]: Infinity })]).toEqual([3, Infinity]);
  });

  it('cannot be more than the limit of all clients', () => {
    const words = `the limit ${share} of one client is 11, but ${all}, the limit of all clients, is 10.`;
    expect(() => make({ [all]: 10, [share]: 11 })).toThrow(words);
    expect(() => make({ [all]: -1, [share]: 11 })).not.toThrow(words);
  });
});

it('every limit of one client is such a share', () => {
  const names = Object.keys(limitsOf()).filter((name) => name.endsWith('PerClient'));
  expect(names.sort()).toEqual(SHARES.map(([share]) => share).sort());
});

it('a limit of memory for one client still sets that of all, if it alone is set', () => {
  expect(limitsOf({ heldPerClient: 1000 }).held).toBe(6000);
  expect(limitsOf({ messageBytes: 8 * MEBIBYTE })).toMatchObject({
    heldPerClient: 64 * MEBIBYTE,
    held: 384 * MEBIBYTE,
  });
  expect(limitsOf({ messageBytes: Infinity, held: 600 })).toMatchObject({ heldPerClient: 100, held: 600 });
});
