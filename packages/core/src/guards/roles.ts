/** A guard that requires a role. */
import type { Access, Guard, Verdict } from '../context/call';
import { sigilError } from '../errors/catalogue';
import { nameValue } from '@sigil-mcp/base';

class AuthenticatedGuard implements Guard {
  get dependsOn(): 'rights' {
    return 'rights';
  }

  allows({ caller }: Access): Verdict {
    return caller.kind !== 'anonymous';
  }
}

const AUTHENTICATED: Guard = Object.freeze(new AuthenticatedGuard());

/**
 * A guard that lets callers through who have one of these roles; to all others the entry does not exist. Several of them add up.
 * @throws SigilError for what is no role, and for none at all
 * @example
 * ```@UseGuards(Roles('admin', 'editor'))```
 */
export function Roles(...roles: readonly [string, ...string[]]): Guard {
  const given: readonly unknown[] = roles;
  const wrong = given.length === 0 ? ['nothing'] : given.filter((role) => typeof role !== 'string' || role === '');
  if (wrong.length > 0) throw sigilError('SIGIL_ROLES', { value: given.length === 0 ? 'none' : nameValue(wrong[0]) });
  return new RolesGuard(roles);
}

/** What `Roles` makes; the facts of an entry tell its roles. */
export class RolesGuard implements Guard {
  readonly dependsOn = 'rights';
  readonly roles: readonly string[];

  constructor(roles: readonly string[]) {
    this.roles = Object.freeze([...roles]);
  }

  allows({ caller }: Access): Verdict {
    return caller.hasRole(...this.roles);
  }
}

/**
 * A guard that lets users, clients and the user who started the process through; for anonymous callers the entry does not exist.
 * @example
 * ```@UseGuards(Authenticated())```
 */
export function Authenticated(): Guard {
  return AUTHENTICATED;
}
