/** Tokens of OAuth 2.0 and OpenID Connect, as the `auth` of an endpoint. */
export { introspection } from './introspection';
export type { IntrospectionOptions } from './introspection-issuer';
export { jwt } from './jwt';
export type { JwtIssuer, JwtOptions } from './jwt-options';
export type { TokenOptions } from './token-options';
