/** What is left out of the options of scripts. */
import { resolveCode } from '../src/code/code-options';

it.each([
  [undefined, undefined, 4],
  [3, undefined, 2],
  [1, undefined, 1],
  [8, 1, 1],
  [undefined, 8, 8],
])('gives one client of %s scripts its share: of %s, %s', (scripts, scriptsPerClient, share) => {
  const limits = {
    ...(scripts !== undefined && { scripts }),
    ...(scriptsPerClient !== undefined && { scriptsPerClient }),
  };
  expect(resolveCode({ limits }).limits.scriptsPerClient).toBe(share);
});
