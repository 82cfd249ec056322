/** What `sigil inspect` says of an entry: whom it is for, whether it can be a task, and its view. */
import { describePolicy, describeTask, describeToolView, describeView } from '../src/inspect/entry-notes';

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

it.each([
  [undefined, undefined],
  [{}, undefined],
  [{ task: {} }, 'task: optional'],
  [{ task: { support: 'required', retry: 'never' } }, 'task: required'],
  [{ task: { starts: 'in-handler', retry: 2 } }, 'task: optional, starts in its handler, retries: 2'],
])('says of a tool with %j: %s', (entry, said) => {
  expect(describeTask(entry)).toBe(said);
});

it.each([
  [undefined, undefined],
  [{}, undefined],
  [{ ui: 'ui://a' }, undefined],
  [{ ui: { resourceUri: 7, visibility: 'app' } }, undefined],
  [{ ui: { resourceUri: 'ui://a' } }, 'shows ui://a'],
  [{ ui: { resourceUri: 'ui://a', visibility: ['model', 'app'] } }, 'shows ui://a'],
  [{ ui: { resourceUri: 'ui://a', visibility: ['app'] } }, 'shows ui://a, called by views only'],
  [{ ui: { visibility: ['model'] } }, 'not called by views'],
])('says of a tool with %j: %s', (meta, said) => {
  expect(describeToolView({ _meta: meta })).toBe(said);
});

it.each([
  [undefined, undefined],
  [{ ui: {} }, undefined],
  [{ ui: { csp: 'https://a.example', permissions: [] } }, undefined],
  [{ ui: { csp: { connectDomains: [], other: ['x'] } } }, undefined],
  [
    {
      ui: {
        csp: { connectDomains: ['https://a.example', 'wss://b.example'], resourceDomains: ['https://c.example'] },
        permissions: { camera: {}, geolocation: {} },
        prefersBorder: true,
      },
    },
    'connects to https://a.example wss://b.example, loads from https://c.example, asks for camera geolocation, with a border',
  ],
  [{ ui: { prefersBorder: false } }, 'without a border'],
])('says of a view with %j: %s', (meta, said) => {
  expect(describeView({ _meta: meta })).toBe(said);
});
