/** Who may use an entry: less is breaking, more is a matter of security. */
import type { DescribedEntry } from '@sigil-mcp/core';
import { canonicalText } from '../schema/canonical-text';
import type { ContractAccess } from '../contract/contract';
import { change, type EntryChangeFound } from './contract-change';

const OPEN: DescribedEntry['access'] = { scopes: [], roles: [], guards: [], isPublic: false, isListed: true };

/** What changed for callers. */
export function compareAccess(before: ContractAccess = {}, after: ContractAccess = {}): readonly EntryChangeFound[] {
  const [old, now] = [
    { ...OPEN, ...before },
    { ...OPEN, ...after },
  ];
  return [
    ...compareNames('scope', old.scopes, now.scopes),
    ...compareNames('role', old.roles.map(rolesText), now.roles.map(rolesText)),
    ...compareNames('guard', old.guards, now.guards),
    ...comparePublic(old.isPublic, now.isPublic),
    ...compareListed(old.isListed, now.isListed),
  ];
}

function comparePublic(before: boolean, after: boolean): readonly EntryChangeFound[] {
  if (before === after) return [];
  return after
    ? [change('security', 'public', 'it can be used without a token now')]
    : [change('breaking', 'public', 'it can no longer be used without a token')];
}

function compareListed(before: boolean, after: boolean): readonly EntryChangeFound[] {
  if (before === after) return [];
  return after
    ? [change('security', 'listed', 'callers without its scopes see it in lists now')]
    : [change('compatible', 'listed', 'callers without its scopes no longer see it in lists')];
}

function rolesText(roles: readonly string[]): string {
  return [...roles].sort().join(' or ');
}

/** Each name counts as often as it is there. */
function compareNames(what: string, before: readonly string[], after: readonly string[]): readonly EntryChangeFound[] {
  const lost = missing(before, after).map((name) =>
    change('security', `${what}-gone`, `the ${what} ${name} is no longer needed`),
  );
  const gained = missing(after, before).map((name) =>
    change('breaking', `${what}-new`, `the ${what} ${name} is needed now`),
  );
  if (lost.length + gained.length > 0 || canonicalText(before) === canonicalText(after)) return [...lost, ...gained];
  return [change('compatible', `${what}-order`, `the order of each ${what} changed`)];
}

function missing(from: readonly string[], among: readonly string[]): readonly string[] {
  const left = [...among];
  return from.filter((name) => {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}
