/** A guard that requires an authenticated caller. */
import type { Access, Guard, Verdict } from '../context/guard';

/**
 * A guard that lets users, clients and the user who started the process through; for anonymous callers the entry does not exist.
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
