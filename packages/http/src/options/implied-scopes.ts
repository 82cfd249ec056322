/** The scopes that a scope implies: computed once, not for each token. */
import { httpError } from '../errors';

/**
 * All scopes that scopes imply, over any number of steps.
 * @param implies scope -> the narrower scopes that it implies
 * @returns scope -> itself and all that it implies
 * @throws SigilError for a circle, whose scopes would all be the same
 */
export function impliedScopes(
  implies: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly string[]> {
  const direct = new Map(Object.entries(implies));
  const found = new Map<string, readonly string[]>();
  const resolve = (scope: string, path: readonly string[]): readonly string[] => {
    const known = found.get(scope);
    if (known) return known;
    const at = path.indexOf(scope);
    if (at >= 0) throw httpError('SIGIL_AUTH_IMPLIES', { circle: [...path.slice(at), scope].join(' > ') });
    const narrower = (direct.get(scope) ?? []).flatMap((each) => resolve(each, [...path, scope]));
    const all = [...new Set([scope, ...narrower])];
    found.set(scope, all);
    return all;
  };
  for (const scope of direct.keys()) resolve(scope, []);
  return found;
}
