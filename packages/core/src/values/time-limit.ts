/** The time limits of options. */

import { LONGEST_TIMER } from '@sigil-mcp/base';

/** Whether a value can be used as a time limit in milliseconds. `Infinity` can: it says that there is no limit. */
export function isTimeLimit(milliseconds: unknown): boolean {
  return (
    typeof milliseconds === 'number' && milliseconds > 0 && (milliseconds <= LONGEST_TIMER || milliseconds === Infinity)
  );
}
