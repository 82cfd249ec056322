/** The snippets of docs/authorization-servers.md: what each server writes into its tokens becomes the same kind of caller. */
import { jwt, type JwtOptions } from '@sigil-mcp/oauth';

const RESOURCE = 'https://mcp.example.com/mcp';

// #region keycloak
const keycloak = {
  issuer: 'https://keycloak.example.com/realms/notes',
  resource: 'https://mcp.example.com/mcp',
  scopes: ['notes:read'],
  caller: ({ realm_access: access }) => ({ roles: (access as { roles?: string[] } | undefined)?.roles ?? [] }),
} satisfies JwtOptions;
// #endregion keycloak

// #region containers
const contained = {
  issuer: {
    url: 'https://login.example.com/realms/notes',
    keys: 'http://keycloak:8080/realms/notes/protocol/openid-connect/certs',
  },
  resource: 'https://mcp.example.com/mcp',
} satisfies JwtOptions;
// #endregion containers

// #region auth0
const auth0 = {
  issuer: 'https://example.eu.auth0.com/',
  resource: 'https://mcp.example.com/mcp',
  scopes: ['notes:read'],
  // Only with "Add Permissions in the Access Token": what the roles of the person allow.
  caller: ({ permissions }) => (Array.isArray(permissions) ? { scopes: permissions as string[] } : {}),
} satisfies JwtOptions;
// #endregion auth0

// #region entra
const API = 'api://2f0e6a3b-6f0f-4d2b-9c61-0d4c1f3f7a11';
const entra = {
  issuer: 'https://login.microsoftonline.com/00000000-0000-0000-0000-000000000000/v2.0',
  resource: 'https://mcp.example.com/mcp',
  // The application id, which tokens of version 2 name, and the URI, which those of version 1 do.
  audience: ['2f0e6a3b-6f0f-4d2b-9c61-0d4c1f3f7a11', API],
  // Clients have to ask for the long names; tokens hold the short ones.
  scopes: [`${API}/notes.read`],
  caller: ({ oid, scp }) => ({
    ...(typeof oid === 'string' && { id: oid }),
    scopes: typeof scp === 'string' ? scp.split(' ').map((scope) => `${API}/${scope}`) : [],
  }),
} satisfies JwtOptions;
// #endregion entra

// #region tenants
const customers = ['8f0e6a3b-6f0f-4d2b-9c61-0d4c1f3f7a11', '0b8c6f9d-2a34-4c7e-9d51-6a1f7f2f3e44'];
const tenants = {
  issuer: {
    url: 'https://login.microsoftonline.com/{tenantid}/v2.0',
    metadata: 'https://login.microsoftonline.com/organizations/v2.0/.well-known/openid-configuration',
    tenants: customers,
  },
  resource: 'https://mcp.example.com/mcp',
  audience: '2f0e6a3b-6f0f-4d2b-9c61-0d4c1f3f7a11',
} satisfies JwtOptions;
// #endregion tenants

// #region okta
const okta = {
  issuer: 'https://example.okta.com/oauth2/default',
  resource: 'https://mcp.example.com/mcp',
  audience: 'api://default',
  scopes: ['notes:read'],
  // From a claim "groups" that the authorization server was told to add.
  caller: ({ groups }) => ({ roles: Array.isArray(groups) ? (groups as string[]) : [] }),
} satisfies JwtOptions;
// #endregion okta

// #region cognito
const cognito = {
  issuer: 'https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Example',
  resource: 'https://mcp.example.com/mcp',
  scopes: ['https://mcp.example.com/mcp/notes.read'],
  caller: ({ 'cognito:groups': groups }) => ({ roles: Array.isArray(groups) ? (groups as string[]) : [] }),
} satisfies JwtOptions;
// #endregion cognito

it.each([
  ['Keycloak', keycloak, { realm_access: { roles: ['admin'] } }, { roles: ['admin'] }],
  ['Keycloak without roles', keycloak, {}, { roles: [] }],
  ['Auth0', auth0, { scope: 'openid', permissions: ['notes:read'] }, { scopes: ['notes:read'] }],
  ['Auth0 without permissions', auth0, { scope: 'notes:read' }, {}],
  [
    'Entra',
    entra,
    { oid: 'o-1', scp: 'notes.read notes.write' },
    { id: 'o-1', scopes: [`${API}/notes.read`, `${API}/notes.write`] },
  ],
  ['Okta', okta, { scp: ['notes:read'], groups: ['admin'] }, { roles: ['admin'] }],
  ['Cognito', cognito, { 'cognito:groups': ['admin'] }, { roles: ['admin'] }],
])('claims of %s say who calls, and the options are accepted', (_name, options, claims, expected) => {
  expect((options.caller as NonNullable<JwtOptions['caller']>)(claims)).toEqual(expected);
  expect(jwt(options)).toMatchObject({ resource: RESOURCE, authorizationServers: [options.issuer] });
});

it('options of issuers elsewhere, and of families, are accepted, and name what clients look for', () => {
  expect(jwt(contained).authorizationServers).toEqual(['https://login.example.com/realms/notes']);
  expect(jwt(tenants).authorizationServers).toEqual(['https://login.microsoftonline.com/organizations/v2.0']);
});
