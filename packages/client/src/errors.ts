/** The errors of the client: how it connects, what it receives, and why a request has no answer. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/base';

const ERRORS = defineErrors({
  SIGIL_CLIENT_TARGET: {
    problem: '{target} is not an http(s) URL.',
    fix: 'Pass { url } with the URL of an endpoint, { command, args } for a program, or { memory } for a server in this process.',
  },
  SIGIL_CLIENT_RESOURCE_NAME: {
    problem: 'The server lists no resource and no template with the name {name}.',
    fix: 'Use its name in the lists of the server, or its URI. The names are {known}.',
  },
  SIGIL_CLIENT_REVISION: {
    problem: 'There is no protocol revision {revision}.',
    fix: 'Use one of {known}, or leave it out.',
  },
  SIGIL_CLIENT_TIMEOUT: {
    problem: 'The server did not answer {method} within {timeout} ms.',
    fix: 'Pass a longer `timeout`, or look for the reason in the log of the server.',
  },
  SIGIL_CLIENT_OPERATION: {
    problem: 'Revision {revision}, which this client speaks with the server, has no method {method}.',
    fix: 'Check `client.revision` before the call, or do without the method.',
  },
  SIGIL_CLIENT_RESULT: {
    problem: 'The server sent a result of {method} that does not fit the protocol: {problem}.',
    fix: 'Report it to the author of the server.',
  },
  SIGIL_CLIENT_NOTIFICATION: {
    problem: 'The server sent a notification {method} that does not fit the protocol.',
    fix: 'Report it to the author of the server. The notification is ignored.',
  },
  SIGIL_CLIENT_TOOL_HEADER: {
    problem: 'The tool {tool} has headers that are not valid ({problem}), so it is left out of the list.',
    fix: 'Report it to the author of the server.',
  },
  SIGIL_CLIENT_SUBSCRIPTION_ENDED: {
    problem: 'The server has ended the subscription.',
    fix: 'Subscribe again, and read what may have changed in between.',
  },
  SIGIL_CLIENT_PAGES: {
    problem: 'The list {method} does not end: the server sent {reason}.',
    fix: 'Report it to the author of the server, or read single pages with a cursor.',
  },
  SIGIL_CLIENT_ENDPOINT: {
    problem: '{url} names {endpoint} for messages, which is not on the same server.',
    fix: 'Connect to the server that answers. The token of this one is not for others.',
  },
  SIGIL_CLIENT_STREAM_ENDED: {
    problem: '{url} ended the stream that carries its messages.',
    fix: 'Connect again.',
  },
  SIGIL_CLIENT_OTHER_REVISION: {
    problem: 'The client asked for revision {wanted}, but the server chose {offered}.',
    fix: 'Serve that revision, or connect with one that is served.',
  },
  SIGIL_CLIENT_CLOSED: {
    problem: 'The client was closed.',
    fix: 'Close it after everything that you wait for has arrived.',
  },
  SIGIL_CLIENT_CANCELLED: {
    problem: 'The client cancelled request {id}.',
    fix: 'Send the request again if you need its result: there is no answer.',
  },
  SIGIL_CLIENT_QUESTION_CANCELLED: {
    problem: 'The server has withdrawn its question.',
    fix: 'Stop asking the user: the answer is no longer wanted.',
  },
  SIGIL_CLIENT_STRAY_ANSWER: {
    problem: 'The server answered request {id}, which is not pending.',
    fix: 'Make the server answer each request once, with the id of the request.',
  },
  SIGIL_CLIENT_BAD_MESSAGE: {
    problem: 'The server sent a message that cannot be read ({reason}): {text}.',
    fix: 'Make the server write JSON-RPC 2.0 messages.',
  },
  SIGIL_CLIENT_LONG_MESSAGE: {
    problem: 'The server sent a message of more than {limit} characters.',
    fix: 'Make the server send less at once, such as pages of a list or links to resources.',
  },
  SIGIL_CLIENT_ROUNDS: {
    problem: 'The server still asks questions after {rounds} rounds.',
    fix: 'Make the handler ask the same questions in every round.',
  },
  SIGIL_CLIENT_TASK_CANCELLED: {
    problem: 'The task {task} was cancelled{said}.',
    fix: 'Call the tool again if you need its result.',
  },
  SIGIL_CLIENT_TASK_UNFOLLOWED: {
    problem: 'The task {task} was not followed to its end: {reason}',
    fix: 'It may go on without this client. Look again with client.task(taskId).result(), from any client of the same user.',
  },
  SIGIL_CLIENT_NOT_STARTED: {
    problem: '{program} could not be started{folder}: {reason}.',
    fix: 'Check the command, its path and `cwd`.',
  },
  SIGIL_CLIENT_STRAY_LINE: {
    problem: '{program} wrote a line to stdout that is not a message: {line}.',
    fix: 'Write logs to stderr. stdout is for protocol messages only.',
  },
  SIGIL_CLIENT_PROGRAM_ENDED: {
    problem: '{program} ended {how} while the client was connected.',
    fix: 'Look for the reason in its last output on stderr:\n{stderr}',
  },
  SIGIL_CLIENT_UNREACHABLE: {
    problem: '{url} could not be reached: {reason}.',
    fix: 'Make the server listen there before the client connects.',
  },
  SIGIL_CLIENT_REDIRECT: {
    problem: '{url} redirects to {location}.',
    fix: 'Connect to that URL, if you trust the server there: it would receive your messages and headers.',
  },
  SIGIL_CLIENT_UNAUTHORIZED: {
    problem: '{url} refused the token with HTTP status {status} ({reason}).',
    fix: 'Pass a token that is valid for this server, with the scopes that it demands, as `auth`.',
  },
  SIGIL_CLIENT_FAULT: {
    problem: 'A handler of this client threw {reason}.',
    fix: 'Throw an Error.',
  },
  SIGIL_CLIENT_NO_MESSAGE: {
    problem: '{url} answered {method} with HTTP status {status} and a body that is not a message ({type}): {body}.',
    fix: 'Use the URL of an MCP endpoint. If it is one, look for the fault in the server or in a proxy before it.',
  },
  SIGIL_CLIENT_UNANSWERED: {
    problem: '{url} did not answer request {id} ({method}): the response, HTTP status {status}, ended without it.',
    fix: "Look for the reason in the server's log.",
  },
  SIGIL_CLIENT_SESSION_LOST: {
    problem: '{url} has ended the session of this client.',
    fix: 'Connect again. What the server kept for the session, such as subscriptions, is gone.',
  },
});

/** Makes an error of this package, to be thrown; `clientWords` are its sentences. */
export const { error: clientError, words: clientWords } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'The client',
    about: 'Thrown by `@sigil-mcp/client`, and by the client of `@sigil-mcp/testing`.',
    errors: ERRORS.entries,
  },
];
