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

class AuthenticatedGuard implements Guard {
  get dependsOn(): 'rights' {
    return 'rights';
  }

  allows({ caller }: Access): Verdict {
    return caller.kind !== 'anonymous';
  }
}

const AUTHENTICATED: Guard = Object.freeze(new AuthenticatedGuard());
