/** Tokens of OAuth 2.0 and OpenID Connect, as the `auth` of an endpoint. */
export { jwt } from './jwt';
export type { JwtOptions } from './jwt-options';
