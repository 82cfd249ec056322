/** The user that a guard has put on a request, as a caller. */
import { isObject } from '@sigil-mcp/base';
import { Caller } from '@sigil-mcp/core';

const IDS = ['sub', 'id', 'userId', 'username', 'email'] as const;

/** @returns undefined for a request without a user; a user that has no id is known by none, so it counts as no user */
export function callerOfUser(request: object): Caller | undefined {
  const user: unknown = Reflect.get(request, 'user');
  if (user instanceof Caller) return user;
  if (!isObject(user)) return undefined;
  const id = IDS.map((name) => user[name]).find((value) => typeof value === 'string' || typeof value === 'number');
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

/** A list, or words in one text as tokens have their scopes. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ').filter((word) => word !== '');
  return Array.isArray(value) ? value.filter((word): word is string => typeof word === 'string') : [];
}

/** The members that JSON can hold: an entity may have methods. */
function claimsOf(user: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain = Object.entries(user).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(plain);
}
