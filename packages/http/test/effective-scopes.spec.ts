/** Which scopes a caller has by those that imply others, found once for each caller. */
import { Caller } from '@sigil-mcp/core';
import { EffectiveScopes } from '../src/authorization';
import { impliedScopes } from '../src/options/auth-settings';

const scopes = new EffectiveScopes({
  implied: impliedScopes({ admin: ['write', 'vault'], write: ['read'], vault: ['read'] }),
});

it('are all that its scopes imply, over any number of steps, and nothing else of it changes', () => {
  const init = { id: 'ada', issuer: 'one', clientId: 'desk', roles: ['r'], claims: { scope: 'admin' }, expiresAt: 7 };
  const caller = new Caller({ ...init, scopes: ['admin', 'other', 'admin'] });
  const effective = scopes.of(caller);
  expect({ ...effective }).toEqual({ ...caller, scopes: ['admin', 'write', 'read', 'vault', 'other'] });
  expect([effective.principal, effective.hasScopes('read', 'vault'), effective.hasScopes('root')]).toEqual([
    caller.principal,
    true,
    false,
  ]);
  expect(caller.scopes).toEqual(['admin', 'other', 'admin']);
});

it('are found once, and a caller that has them all is itself', () => {
  const caller = new Caller({ id: 'ada', scopes: ['write'] });
  expect(scopes.of(caller)).toBe(scopes.of(caller));
  for (const own of [['read'], ['read', 'write'], ['admin', 'read', 'vault', 'write'], []]) {
    const same = new Caller({ id: 'eve', scopes: own });
    expect(scopes.of(same)).toBe(same);
  }
  const nothing = new EffectiveScopes({ implied: impliedScopes({}) });
  expect(nothing.of(caller)).toBe(caller);
});
