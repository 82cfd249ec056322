/** An authorization server that users can sign in at while a server is developed. */
export { developmentIssuer, type DevelopmentIssuerOptions } from './development-issuer';
export type { People, Person } from './issued-tokens';
export { TestIssuer } from './issuer';
