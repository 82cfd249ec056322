/** What is remembered of tokens has its bounds. */
import { ManualClock } from '@sigil-mcp/testing';
import { RememberedTokens } from '../src/remembered-tokens';

const names = Array.from({ length: 1000 }, (_, index) => `token ${index}`);

it.each([0, 1, 10, 100])('remembers %i tokens at most, the latest of them', (most) => {
  const known = new RememberedTokens<string>(most, new ManualClock());
  for (const name of names) known.add(name, name, Infinity);
  const found = names.filter((name) => known.find(name) !== undefined);
  expect(found.length).toBeLessThanOrEqual(Math.max(most, most === 1 ? 2 : 0));
  expect(found.length).toBeGreaterThanOrEqual(most / 2);
  expect(found.at(-1)).toBe(most === 0 ? undefined : names.at(-1));
});

it('keeps what is seen again, and nothing for longer than it was told', async () => {
  const clock = new ManualClock();
  const known = new RememberedTokens<string>(10, clock);
  known.add('often', 'seen', clock.now() + 1000);
  for (const name of names) {
    known.add(name, name, Infinity);
    expect(known.find('often')).toBe('seen');
  }
  await clock.advance(1000);
  expect(known.find('often')).toBeUndefined();
});
