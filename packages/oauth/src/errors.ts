/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_JWT_OPTION: {
    problem: 'the {option} of jwt() {value} cannot be used.',
    fix: 'Use the URL of each issuer exactly as it appears in `iss`, an address of its metadata or keys that uses https or leads to a private network, `tenants` and `metadata` for a family of issuers, and asymmetric algorithms: RS256, ES256, EdDSA.',
  },
  SIGIL_INTROSPECTION_OPTION: {
    problem: 'the {option} of introspection() {value} cannot be used.',
    fix: 'Use the URL of the issuer as in its metadata, an https endpoint, the client id and secret of this server, and a maxAge of at most 60,000 milliseconds.',
  },
  SIGIL_INTROSPECTION_ANSWER: {
    problem: '{url} answered an introspection request without the member `active`.',
    fix: 'Set `url` to the introspection endpoint of the issuer (RFC 7662), or leave it out to read it from the metadata of the issuer.',
  },
  SIGIL_ISSUER_METADATA: {
    problem: 'the metadata of the issuer {issuer} cannot be used: it {what}.',
    fix: 'Use the issuer exactly as it appears in its metadata and tokens, including a slash at the end.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: oauthError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Tokens and issuers',
    about:
      'Thrown by `jwt`, `introspection` and the metadata of issuers; while a server runs, errors of an issuer are logged, and its requests receive 503.',
    errors: ERRORS.entries,
  },
];
