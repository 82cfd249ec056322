/** What goes wrong in a test: how it connects, waits and looks at results. */
import type { CatalogueEntries } from './catalogue-entry';

/** Of `@sigil-mcp/testing`. */
export const TESTING_ERRORS = {
  SIGIL_TEST_TARGET: {
    what: '{target} is no http(s) URL.',
    mend: 'Give connect() a server, { command, args } or the URL of an endpoint.',
  },
  SIGIL_TEST_ELSEWHERE: {
    what: 'connect({ {options} }) cannot reach into a server behind a URL.',
    mend: 'Connect to the server object, or say who calls with `headers`, such as a token.',
  },
  SIGIL_TEST_OTHER_PROGRAM: {
    what: 'connect({ {options} }) cannot reach into a program of its own.',
    mend: 'Connect to the server object, or set the program up with its `args` and `env`.',
  },
  SIGIL_TEST_REVISION: {
    what: 'There is no protocol revision {revision}.',
    mend: 'Give one of {known}.',
  },
  SIGIL_TEST_OTHER_REVISION: {
    what: 'The client asked for revision {wanted}, the server settled on {offered}.',
    mend: 'Serve that revision, or connect with one that is served.',
  },
  SIGIL_TEST_ISSUER_ALGORITHM: {
    what: 'issuer() signs nothing with {algorithm}.',
    mend: 'Name it in `algorithms` of issuer(), or take one of these: {known}.',
  },
  SIGIL_TEST_WITHOUT_CLIENT: {
    what: 'The test connected no client, so it proves nothing about this revision.',
    mend: 'Connect with the `connect` that the test is given.',
  },
  SIGIL_TEST_WITHOUT_RUNNER: {
    what: '{what} declares tests, and there is no global `it` to declare them with.',
    mend: 'Call it in a file that jest (or a runner with a global `it`) runs.',
  },
  SIGIL_TEST_STORES_CLOSED: {
    what: 'The stores of this suite were never opened.',
    mend: 'The function that opens them has failed, and the runner says how; mend that.',
  },
  SIGIL_TEST_WITHOUT_EXPECT: {
    what: '@sigil-mcp/testing/matchers adds to the global `expect`, and there is none yet.',
    mend: 'Load it in `setupFilesAfterEnv` of jest, or call expect.extend(matchers) with the `expect` of your runner and the `matchers` of @sigil-mcp/testing.',
  },
  SIGIL_TEST_MATCHER_RESULT: {
    what: '{matcher}() looks at the result of a call, and was given {received}.',
    mend: 'Await the call: {example}.',
  },
  SIGIL_TEST_MATCHER_QUESTION: {
    what: '{matcher}() looks at what a call returned, and was given one that asks first ({methods}).',
    mend: 'Tell connect() the `answers`.',
  },
  SIGIL_TEST_MATCHER_CLIENT: {
    what: '{matcher}() asks a client, and was given {received}.',
    mend: 'Write await expect(client).{matcher}(…).',
  },
  SIGIL_TEST_CLOSED: { what: 'The client was closed.', mend: 'Close it when nothing is waited for any more.' },
  SIGIL_TEST_CANCELLED: {
    what: 'The client cancelled request {id}.',
    mend: 'Expect its promise to be rejected: no answer comes.',
  },
  SIGIL_TEST_HUNG_UP: {
    what: 'The client hung up on request {id}.',
    mend: 'Expect its promise to be rejected: no answer comes.',
  },
  SIGIL_TEST_ONE_PIPE: {
    what: 'Requests share one pipe here, so none can be hung up.',
    mend: 'Connect over HTTP, or cancel().',
  },
  SIGIL_TEST_ROUNDS: {
    what: 'The server still asks after {rounds} rounds.',
    mend: 'Let the handler ask the same questions in every round, and no new ones without end.',
  },
  SIGIL_TEST_NOTHING_CAME: {
    what: 'No {wanted} came within {timeout} ms. The server said so far: {said}.',
    mend: 'Is the change made, and did the client subscribe, or set a log level, before?',
  },
  SIGIL_TEST_WAIT_GIVEN_UP: {
    what: 'Nobody waits for {method} any more.',
    mend: 'Expect the wait to be rejected: its signal fired.',
  },
  SIGIL_TEST_NOT_STARTED: {
    what: '{program} could not be started{folder}: {reason}.',
    mend: 'Check the command, its path and `cwd`.',
  },
  SIGIL_TEST_STRAY_LINE: {
    what: '{program} wrote a line to stdout that is no message: {line}.',
    mend: 'Write logs to stderr: stdout belongs to the protocol.',
  },
  SIGIL_TEST_PROGRAM_ENDED: {
    what: '{program} ended {how} while the client was connected.',
    mend: 'Look for the reason in what it wrote to stderr last:\n{stderr}',
  },
  SIGIL_TEST_UNREACHABLE: {
    what: '{url} could not be reached: {reason}.',
    mend: 'Let the server listen there before the client connects.',
  },
  SIGIL_TEST_NO_MESSAGE: {
    what: '{url} answered a {method} with HTTP status {status} and a body that is no message ({type}): {body}.',
    mend: 'Give the URL of an MCP endpoint; if it is, the server or a proxy before it is wrong.',
  },
  SIGIL_TEST_UNANSWERED: {
    what: '{url} did not answer request {id} ({method}): the response, HTTP status {status}, ended without it.',
    mend: "Look for the reason in the server's log.",
  },
} as const satisfies CatalogueEntries;
