/** Tokens of OAuth 2.0 and OpenID Connect, as the `auth` of an endpoint. */
export { introspection } from './introspection';
export type { IntrospectionOptions } from './introspection-options';
export { jwt } from './jwt';
export type { JwtOptions } from './jwt-options';
export type { TokenOptions } from './token-options';
export type { JwtIssuer } from './jwt-issuer';
