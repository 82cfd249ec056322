/** Which keys and channels name their slot. @see https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/#hash-tags */
import { hasSlot } from '../src/clients/redis-connection';

it.each([
  ['sigil:{a}:b', true],
  ['{{a}', true],
  ['sigil:a', false],
  ['{a', false],
  ['}{', false],
  // Redis reads the first pair of brackets alone.
  ['{}{a}', false],
])('reads %s as Redis does', (name, isNamed) => {
  expect(hasSlot(name)).toBe(isNamed);
});
