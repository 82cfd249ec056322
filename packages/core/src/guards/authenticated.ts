/** A guard that looks whether anybody vouched for the caller. */
import type { Access, Guard, Verdict } from '../context/guard';

/**
 * A guard that lets users and clients through, and whoever started the process; to anonymous callers the entry does not exist.
 * @example
 * ```@UseGuards(Authenticated())```
 */
export function Authenticated(): Guard {
  return AUTHENTICATED;
}

const AUTHENTICATED: Guard = Object.freeze({
  dependsOn: 'rights',
  allows: ({ caller }: Access): Verdict => caller.kind !== 'anonymous',
});
