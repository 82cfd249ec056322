/** The user that a guard has put on a request, as a caller. */
import { isObject } from '@sigil-mcp/base';
import { Caller } from '@sigil-mcp/core';

const IDS = ['sub', 'id', 'userId', 'username', 'email'] as const;

/** @returns undefined for a request without a user; a user that has no id is known by none, so it counts as no user */
export function callerOfUser(request: object): Caller | undefined {
  const user: unknown = Reflect.get(request, 'user');
  if (user instanceof Caller) return user;
  if (!isObject(user)) return undefined;
  const id = IDS.map((name) => user[name]).find(isId);
  if (id === undefined) return undefined;
  return new Caller({
    id: String(id),
    scopes: wordsOf(user['scopes'] ?? user['scope']),
    roles: wordsOf(user['roles'] ?? user['role']),
    claims: claimsOf(user),
    ...(typeof user['iss'] === 'string' && { issuer: user['iss'] }),
    ...(typeof user['exp'] === 'number' && { expiresAt: user['exp'] * 1000 }),
  });
}

/** A database may count in `bigint`. An empty text names nobody. */
function isId(value: unknown): value is string | bigint | number {
  return (typeof value === 'string' && value !== '') || typeof value === 'bigint' || Number.isFinite(value);
}

/** A list, or words in one text as tokens have their scopes. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];
}

/** Names of members that hold credentials. */
const CREDENTIAL = /passw|passphrase|secret|hash|salt|token|api_?key|private_?key|otp/i;

/**
 * The members that JSON can hold: an entity may have methods. Claims are stored with tasks and are seen by every guard, so what an entity
 * knows to check its user stays out of them.
 */
function claimsOf(user: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = Object.entries(user).filter(
    ([name, value]) => ['string', 'number', 'boolean'].includes(typeof value) && !CREDENTIAL.test(name),
  );
  return Object.fromEntries(plain);
}
