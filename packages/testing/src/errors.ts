/** The errors of a test: how it connects, waits and checks results. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

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
  SIGIL_TEST_NO_TASK: {
    problem: 'The call of {tool} is no task: the server has answered it at once.',
    fix: 'Give the tool the option task, add tasks() to the extensions of the server, and connect on a revision that has {extension}.',
  },
  SIGIL_TEST_TASK_ASKS: {
    problem: 'The task {task} asks, and nobody answers.',
    fix: 'Pass `answers` to connect(), or answer with task.questions() and task.answer() before task.result().',
  },
  SIGIL_TEST_TASK_ENDED: {
    problem: 'The task {task} has ended without a question: it is {status}.',
    fix: 'Look at task.status(), or wait for task.result().',
  },
  SIGIL_TEST_TASK_QUESTION: {
    problem: 'task.answer() of the task {task} has no question.',
    fix: 'Pass one that task.questions() has returned.',
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
  SIGIL_VIEW_NO_PLAYWRIGHT: {
    problem: 'renderView() drives a browser with playwright-core, which is not installed.',
    fix: 'Install it: npm install --save-dev playwright-core',
  },
  SIGIL_VIEW_NO_CHROMIUM: {
    problem: 'renderView() found no Chromium, Chrome or Edge ({path}).',
    fix: 'Install one, set CHROME_PATH to the path of its program, or run `npx playwright-core install chromium`.',
  },
  SIGIL_VIEW_NO_TOOL: {
    problem: 'The server lists no tool {tool}. It lists: {known}.',
    fix: 'Pass the name that clients see to renderView(), and the caller who sees it as `as`.',
  },
  SIGIL_VIEW_NO_VIEW: {
    problem: 'The tool {tool} has no view: its _meta.ui.resourceUri is missing.',
    fix: 'Name its view: @Tool(…, { view: … }).',
  },
  SIGIL_VIEW_RESOURCE: {
    problem: 'The view {uri} of the tool {tool} cannot be shown: {reason}.',
    fix: 'Serve one HTML document as text or bytes, of the type text/html;profile=mcp-app. @View does so.',
  },
  SIGIL_VIEW_SILENT: {
    problem: 'The view {uri} did not connect within {timeout} ms.',
    fix: 'Call connectView() in a script of the page: <script src="@sigil-mcp/apps/view"></script> defines it.',
  },
  SIGIL_VIEW_BUSY: {
    problem:
      'The view {uri} still worked after {timeout} ms: {requests} requests were under way, or its script never paused.',
    fix: 'Let the script pause, answer the requests in time, or set a longer `timeout` of renderView().',
  },
  SIGIL_VIEW_CSP: {
    problem: 'The policy of the view blocked {blocked} ({directive}).',
    fix: 'Hosts allow what the resource of the view declares, and nothing else. {advice}',
  },
  SIGIL_VIEW_CONSOLE: {
    problem: 'The view wrote an error to the console: {text}',
    fix: 'Fix its cause, or list the text in `allowedErrors` of renderView() if it is expected.',
  },
  SIGIL_VIEW_EXCEPTION: {
    problem: 'The view threw an error, or rejected a promise, that nothing caught: {text}',
    fix: 'Fix its cause, or catch the error and show it to the user.',
  },
  SIGIL_VIEW_HIDDEN_TOOL: {
    problem: 'The view called the tool {tool}, which is visible to {visibility} only. Hosts refuse the call.',
    fix: "Add 'app' to `visibleTo` of the tool, or call a tool that is for views.",
  },
  SIGIL_VIEW_UNKNOWN_TOOL: {
    problem: 'The view called the tool {tool}, which the server does not list. It lists: {known}.',
    fix: 'Call a tool by the name that clients see. Guards may hide it from this caller: set `as` of renderView().',
  },
  SIGIL_VIEW_NETWORK: {
    problem: 'The view loaded {url}, and the test has no answer for it.',
    fix: 'Answer it with `network` of renderView(), so that the test does not depend on other servers.',
  },
  SIGIL_VIEW_RELATIVE: {
    problem: 'The view loaded {path}, relative to itself. Hosts serve no files next to a view.',
    fix: 'Write its content into the page, or use the full URL and declare its origin in `csp` of the view.',
  },
  SIGIL_VIEW_LEFT: {
    problem: 'The view left its page for {url}.',
    fix: 'Open pages with view.openLink(), and handle the `submit` event of forms with preventDefault().',
  },
  SIGIL_VIEW_STRAY: {
    problem: 'The view sent a message that is not one of the protocol: {text}',
    fix: 'Send messages with the bridge: connectView() has a method for each.',
  },
  SIGIL_VIEW_FLOOD: {
    problem: 'The view sent {count} messages without a pause.',
    fix: 'Call tools after an action of the user or at an interval, and not in a loop.',
  },
  SIGIL_VIEW_CRASHED: {
    problem: 'The page of the browser crashed while it showed the view.',
    fix: 'Look for a loop that takes all memory, and check that the machine has enough of it.',
  },
  SIGIL_VIEW_PROBLEMS: {
    problem: 'The view has {count} problems:{list}',
    fix: 'Fix each of them.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: testingError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Tests',
    about: 'Thrown by `@sigil-mcp/testing`.',
    errors: ERRORS.entries,
  },
];
