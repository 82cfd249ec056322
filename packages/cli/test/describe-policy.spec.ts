/** What `sigil inspect` says of whom an entry is for. */
import { describePolicy } from '../src/inspect/describe-policy';

it.each([
  [undefined, undefined],
  [{}, undefined],
  [{ securitySchemes: 'oauth2' }, undefined],
  [{ securitySchemes: [] }, undefined],
  [{ securitySchemes: [null, 'x'] }, undefined],
  [{ securitySchemes: [{ type: 'noauth' }] }, 'public: needs no token'],
  [{ securitySchemes: [{ type: 'oauth2' }] }, 'needs a token'],
  [{ securitySchemes: [{ type: 'oauth2', scopes: ['notes:read'] }] }, 'needs the scope notes:read'],
  [{ securitySchemes: [{ type: 'oauth2', scopes: ['a', 'b', 3] }] }, 'needs the scopes a b'],
  [
    { securitySchemes: [{ type: 'noauth' }, { type: 'oauth2', scopes: ['a'] }] },
    'public: needs no token, or needs the scope a',
  ],
])('says of %j: %s', (meta, said) => {
  expect(describePolicy({ _meta: meta })).toBe(said);
});

it.each([
  [{}, [['admin']], 'needs the role admin'],
  [{}, [['owner', 'admin'], ['staff']], 'needs one of the roles owner, admin, and the role staff'],
  [{ securitySchemes: [{ type: 'oauth2', scopes: ['a'] }] }, [['admin']], 'needs the scope a, and the role admin'],
])('says of %j and the roles %j: %s', (meta, roles, said) => {
  expect(describePolicy({ _meta: meta }, roles)).toBe(said);
});
