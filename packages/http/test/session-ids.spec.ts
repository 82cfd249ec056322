/** The ids of sessions. */
import { SessionIds } from '../src/sessions/session-table';

it('has 32 characters that headers may hold, and no two are the same, over many fillings', () => {
  const ids = new SessionIds();
  const made = Array.from({ length: 1000 }, () => ids.next());
  expect(made.filter((id) => !/^[\w-]{32}$/.test(id))).toEqual([]);
  expect(new Set(made).size).toBe(1000);
});

it('has nothing in common with those of another table', () => {
  const both = [new SessionIds(), new SessionIds()].map((ids) => Array.from({ length: 100 }, () => ids.next()));
  expect(new Set(both.flat()).size).toBe(200);
});

it('has random bits at every place', () => {
  const ids = new SessionIds();
  const made = Array.from({ length: 2000 }, () => Buffer.from(ids.next(), 'base64url'));
  const ones = Array.from({ length: 192 }, (_, bit) =>
    made.reduce((sum, bytes) => sum + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1), 0),
  );
  // Six standard deviations of 2000 throws of a coin.
  expect(ones.filter((count) => Math.abs(count - 1000) > 6 * Math.sqrt(500))).toEqual([]);
});
