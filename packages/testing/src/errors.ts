/** The errors of a test: how it connects, waits and checks results. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/adapter';

const ERRORS = defineErrors({
  SIGIL_TEST_TARGET: {
    problem: '{target} is not an http(s) URL.',
    fix: 'Pass a server, { command, args } or the URL of an endpoint to connect().',
  },
  SIGIL_TEST_ELSEWHERE: {
    problem: 'connect({ {options} }) cannot configure a server behind a URL.',
    fix: 'Connect to the server object, or identify the caller with `headers`, such as a token.',
  },
  SIGIL_TEST_OTHER_PROGRAM: {
    problem: 'connect({ {options} }) cannot configure a separate program.',
    fix: 'Connect to the server object, or configure the program with `args` and `env`.',
  },
  SIGIL_TEST_REVISION: {
    problem: 'There is no protocol revision {revision}.',
    fix: 'Use one of {known}.',
  },
  SIGIL_TEST_ISSUER_ALGORITHM: {
    problem: 'issuer() cannot sign with {algorithm}.',
    fix: 'Add it to `algorithms` of issuer(), or use one of these: {known}.',
  },
  SIGIL_DEVELOPMENT_ISSUER: {
    problem: 'developmentIssuer() does not run with NODE_ENV=production: anyone signs in there without a password.',
    fix: 'Set ISSUER to the URL of your authorization server.',
  },
  SIGIL_TEST_WITHOUT_CLIENT: {
    problem: 'The test connected no client, so it proves nothing about this revision.',
    fix: 'Connect with the `connect` function that the test receives.',
  },
  SIGIL_TEST_WITHOUT_RUNNER: {
    problem: '{what} declares tests, but there is no global `it`.',
    fix: 'Call it in a file that jest (or another runner with a global `it`) runs.',
  },
  SIGIL_TEST_STORES_CLOSED: {
    problem: 'The stores of this suite were never opened.',
    fix: 'The function that opens them failed. Fix the error that the runner reports for it.',
  },
  SIGIL_TEST_WITHOUT_EXPECT: {
    problem: '@sigil-mcp/testing/matchers extends the global `expect`, which is not defined.',
    fix: 'Load it in `setupFilesAfterEnv` of jest, or call expect.extend(matchers) with the `expect` of your runner and the `matchers` of @sigil-mcp/testing.',
  },
  SIGIL_TEST_MATCHER_RESULT: {
    problem: '{matcher}() expects the result of a call, but received {received}.',
    fix: 'Await the call: {example}.',
  },
  SIGIL_TEST_MATCHER_QUESTION: {
    problem: '{matcher}() expects the result of a call, but the call asks a question first ({methods}).',
    fix: 'Pass `answers` to connect().',
  },
  SIGIL_TEST_MATCHER_CLIENT: {
    problem: '{matcher}() expects a client, but received {received}.',
    fix: 'Write await expect(client).{matcher}(…).',
  },
  SIGIL_TEST_HUNG_UP: {
    problem: 'The client closed the connection of request {id}.',
    fix: 'Expect its promise to be rejected: there is no answer.',
  },
  SIGIL_TEST_ONE_PIPE: {
    problem: 'All requests share one connection here, so the connection of one request cannot be closed.',
    fix: 'Connect over HTTP, or use cancel().',
  },
  SIGIL_TEST_NOTHING_CAME: {
    problem: 'No {wanted} arrived within {timeout} ms. Messages so far: {said}.',
    fix: 'Check that the change was made, and that the client subscribed or set a log level before it.',
  },
  SIGIL_TEST_WAIT_GIVEN_UP: {
    problem: 'The wait for {method} was aborted.',
    fix: 'Expect the wait to be rejected: its signal fired.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: testingError } = ERRORS;

/** The sections of docs/errors.md. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Tests',
    about: 'Thrown by `@sigil-mcp/testing`.',
    errors: ERRORS.entries,
  },
];
