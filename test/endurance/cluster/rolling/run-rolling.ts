/** `npm run cluster -- --rolling`: restarts under load, by every way to the processes, and what came of them as a table. */
import type { RollingWords } from '../options';
import { roll, type Rolled } from './roll';
import { isThere, WAY_TITLES, WAYS } from './ways';

/** Examples that are shown of what failed. */
const EXAMPLES = 5;

/** Plays them, and prints the table. @returns whether nothing failed */
export async function runRolling({ calls, way }: RollingWords, say: (text: string) => void): Promise<boolean> {
  const ways = (way === undefined ? WAYS : [way]).filter((each) => {
    if (!isThere(each)) say(`There is no nginx here: ${WAY_TITLES[each]} is left out.`);
    return isThere(each);
  });
  let isClean = ways.length > 0;
  say('| proxy | calls | failed | restarts | end of a process, longest |\n| --- | --- | --- | --- | --- |');
  for (const each of ways) {
    const rolled = await roll({ way: each, calls });
    say(rowOf(rolled));
    for (const failure of rolled.failures.slice(0, EXAMPLES)) say(`  ${failure}`);
    isClean &&= rolled.failures.length === 0;
  }
  return isClean;
}

function rowOf({ way, answered, failures, restarts, ends }: Rolled): string {
  const cells = [WAY_TITLES[way], answered + failures.length, failures.length, restarts];
  return `| ${[...cells, `${(Math.max(...ends) / 1000).toFixed(1)} s`].join(' | ')} |`;
}
