/** The kinds of callers that the policies of entries tell apart, and what each sees and may use. */
import type { EntryPolicy } from '../context/entry-facts';
import type { DescribedAudience, DescribedEntry, DescribedKey } from './server-description';

type Judged = Pick<DescribedEntry, 'kind' | 'key' | 'access' | 'isUnlisted'>;

/** The rights of one kind of callers. */
type Rights = Pick<DescribedAudience, 'hasToken' | 'scopes' | 'roles'>;

/** The audiences of entries: without a token, without rights, for each set of rights that an entry wants, and with all rights. */
export function audiencesOf(entries: readonly Judged[]): readonly DescribedAudience[] {
  const policies = entries.map(({ access }) => access);
  const isOpen = policies.every(({ scopes, roles, isPublic }) => scopes.length + roles.length === 0 && !isPublic);
  if (isOpen) return [audienceOf('everybody', { hasToken: false, scopes: [], roles: [] }, entries, () => true)];
  const wanted = new Map(policies.map((policy) => [nameOf(rightsFor(policy)), rightsFor(policy)]));
  wanted.delete(nameOf(NO_RIGHTS));
  const all = {
    hasToken: true,
    scopes: distinct(policies.flatMap(({ scopes }) => scopes)),
    roles: distinct(policies.flatMap(({ roles }) => roles.flat())),
  };
  wanted.delete(nameOf(all));
  const sets = [...wanted.values()].sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  return [
    audienceOf('without a token', { ...NO_RIGHTS, hasToken: false }, entries),
    audienceOf('with a token', NO_RIGHTS, entries),
    ...[...sets, all].map((rights) => audienceOf(nameOf(rights), rights, entries)),
  ];
}

const NO_RIGHTS: Rights = { hasToken: true, scopes: [], roles: [] };

/** The least rights with which an entry can be used: of several roles that would do, the first. */
function rightsFor({ scopes, roles }: EntryPolicy): Rights {
  return { hasToken: true, scopes: distinct(scopes), roles: distinct(roles.flatMap(([first]) => first ?? [])) };
}

function nameOf({ scopes, roles }: Rights): string {
  const words = roles.length === 0 ? [] : [`${roles.length === 1 ? 'role' : 'roles'} ${roles.join(' ')}`];
  return [...(scopes.length === 0 ? [] : [scopes.join(' ')]), ...words].join(', ') || 'with a token';
}

function audienceOf(
  name: string,
  rights: Rights,
  entries: readonly Judged[],
  mayUse = (entry: Judged): boolean => isUsable(entry.access, rights),
): DescribedAudience {
  const uses = entries.filter(mayUse);
  const sees = entries.filter((entry) => !entry.isUnlisted && (mayUse(entry) || isSeen(entry.access, rights)));
  return { name, ...rights, sees: sees.map(keyOf), uses: uses.map(keyOf) };
}

function isUsable(policy: EntryPolicy, rights: Rights): boolean {
  if (!rights.hasToken) return policy.isPublic && policy.roles.length === 0;
  return policy.scopes.every((scope) => rights.scopes.includes(scope)) && hasRoles(policy, rights);
}

/** Whether a caller who lacks scopes is shown an entry anyway. */
function isSeen(policy: EntryPolicy, rights: Rights): boolean {
  return rights.hasToken && policy.isListed && hasRoles(policy, rights);
}

function hasRoles({ roles }: EntryPolicy, rights: Rights): boolean {
  return roles.every((group) => group.some((role) => rights.roles.includes(role)));
}

function keyOf({ kind, key }: Judged): DescribedKey {
  return { kind, key };
}

function distinct(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort();
}
