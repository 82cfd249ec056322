/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_HTTP_PATH: {
    problem: 'The path {path} cannot be the path of a request.',
    fix: 'Begin it with a slash, and leave out ?, # and spaces: /mcp.',
  },
  SIGIL_HTTP_LAMBDA: {
    problem: 'createStreamingLambdaHandler() was called outside of AWS Lambda, which streams the responses.',
    fix: 'Call it in the file that Lambda loads, with a runtime for Node. On this machine, use createLambdaHandler() or createFetchHandler().',
  },
  SIGIL_HTTP_OBJECTS: {
    problem: '`objects` of createWorker() returned no binding to Durable Objects, so there is no place for a session.',
    fix: 'Name the binding in wrangler.toml ([[durable_objects.bindings]], class_name = "Sessions"), export the class, and return env.<name>.',
  },
  SIGIL_AUTH_RESOURCE: {
    problem: 'the resource {resource} of `auth` {reason}.',
    fix: 'Use the URI of the endpoint as clients know it, such as https://mcp.example.com/mcp. http works for loopback only.',
  },
  SIGIL_AUTH_SERVERS: {
    problem: '`auth` has {what}.',
    fix: 'Set `resource`, and list in `authorizationServers` the https URL of each issuer whose tokens are accepted. Set neither if clients get their tokens in another way.',
  },
  SIGIL_AUTH_SCOPE: {
    problem: '`auth` contains {scope}, which is not a valid scope.',
    fix: 'Pass one string for each scope, made of visible ASCII characters without spaces, quotes or backslashes.',
  },
  SIGIL_AUTH_VERIFY: {
    problem: '`verify` of `auth` failed, so the token could not be checked.',
    fix: 'Fix the error in `cause`. For an invalid token, return undefined or throw a Denial with status 401.',
  },
  SIGIL_AUTH_LATE: {
    problem:
      '`verify` of `auth`, or a guard or `identify` in its place, did not answer within {milliseconds} ms, so the caller could not be identified.',
    fix: 'Give the operation that it waits for a shorter timeout, or raise `limits.verifyTimeout` of the endpoint.',
  },
  SIGIL_AUTH_NO_CALLER: {
    problem: '`verify` of `auth` returned a value of type {type}, which is not a Caller.',
    fix: 'Return new Caller({ id }), or undefined for an invalid token.',
  },
  SIGIL_AUTH_IMPLIES: {
    problem: 'the scopes of `auth` imply each other in a circle: {circle}.',
    fix: 'In `implies`, map each wider scope to the narrower ones that it includes: { admin: ["write"], write: ["read"] }.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: httpError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'HTTP endpoints and authorization',
    about: 'Thrown for options when a transport is opened or a handler is made, and when a request is authenticated.',
    errors: ERRORS.entries,
  },
];
