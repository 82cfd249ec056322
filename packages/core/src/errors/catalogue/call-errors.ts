/** Errors of a running call: in what a handler does or returns, in its questions, and the reasons why its signal fires. */
import type { CatalogueEntries } from '@sigil-mcp/base';

/** Of handlers, interceptors and lists. */
export const HANDLER_ERRORS = {
  SIGIL_INVALID_OUTPUT: {
    problem: '{where} returned a value that does not match its output: {failures}.',
    fix: 'Return what the class declares, or change the class.',
  },
  SIGIL_OUTPUT_DATA: {
    problem: '{where} returned a value that cannot be written as JSON: {path} is {what}.',
    fix: 'Return strings, finite numbers, booleans, null, dates, and arrays, Sets, Maps or objects of them. Await promises, and spread iterators into an array.',
  },
  SIGIL_OUTPUT_BYTES: {
    problem: '{where} returned binary data inside other data: {path} is bytes.',
    fix: 'Return a Buffer by itself, or return it as content with image(), audio() or embedded() next to the data in toolResult({ content, structured }), or encode it: toString("base64").',
  },
  SIGIL_OUTPUT_MIXED: {
    problem: '{where} returned content and data in one list: {path} is {what}.',
    fix: 'Return a list of strings and content blocks only: spread nested lists of blocks and write data as text. To return both, use toolResult({ content, structured }).',
  },
  SIGIL_OUTPUT_MISPLACED: {
    problem: '{where} returned the result of {maker}(), which is for {kind}.',
    fix: 'Return toolResult() from tools, contents() from resources, and text, content blocks or data from either.',
  },
  SIGIL_OUTPUT_LINK: {
    problem: '{where} returned a resource link as the contents of a resource.',
    fix: 'Return text, bytes, data, or parts made with contents(). Links are content of tools and prompts.',
  },
  SIGIL_PROMPT_OUTPUT: {
    problem: '{where} returned something that is not a prompt message.',
    fix: 'Return a string, a content block, or messages made with userMessage() and assistantMessage().',
  },
  SIGIL_COMPLETER_OUTPUT: {
    problem: 'The completer of {entry} did not return an array.',
    fix: 'Return an array of values. It may be empty.',
  },
  SIGIL_REPLACED_OUTPUT: {
    problem: 'The `arguments` of the old name {name} in replaces returned {value}, which is not an object.',
    fix: 'Return the arguments of today as an object. The function cannot be async.',
  },
  SIGIL_LIST_OUTPUT: {
    problem: 'The list of {template} cannot be read: {reason}.',
    fix: 'Return an array, or, from a method that takes a PageRequest, { resources, nextCursor }.',
  },
  SIGIL_LIST_ITEM: {
    problem: '[{index}] in the list of {template} cannot be listed: {reason}.',
    fix: 'Return { variables } or { uri }.',
  },
  SIGIL_EXPAND_UNKNOWN: { problem: 'The template has no variable {variable}.', fix: 'Use {known}.' },
  SIGIL_EXPAND_MISSING: { problem: 'The template needs a value for its variable {variable}.', fix: 'Pass a value.' },
  SIGIL_EXPAND_KIND: {
    problem: "The template's variable {variable} takes {wanted}.",
    fix: 'Pass a value of that type.',
  },
  SIGIL_NEXT_TWICE: { problem: '{interceptor} called next() twice.', fix: 'Call next() at most once.' },
} as const satisfies CatalogueEntries;

/** Of `context.elicit`, `elicitUrl`, `sample`, `roots` and `once`. */
export const ASKING_ERRORS = {
  SIGIL_QUESTION_TIMEOUT: {
    problem: 'The timeout for an answer is {timeout}.',
    fix: 'Use milliseconds, more than 0 and at most 2147483647, or Infinity for no limit.',
  },
  SIGIL_QUESTION_KEY: {
    problem: 'The key {key} is used for both {before} and {question}.',
    fix: 'Give each question its own key.',
  },
  SIGIL_QUESTION_CHANGED: {
    problem: 'The key {key} was used for {before} and is now used for {question}.',
    fix: 'A handler runs again for each answer, so it must ask the same questions with the same words. Give each question its own key.',
  },
  SIGIL_SWALLOWED_SUSPENSION: {
    problem:
      "The handler continued without the client's answer to {question}: it caught the suspension, or did not await the question.",
    fix: 'Rethrow errors for which isSuspension() is true, await every question, and use Promise.all instead of Promise.allSettled.',
  },
  SIGIL_ANSWER_UNFIT: {
    problem: 'The answer to {question} does not match its form: {failures}',
    fix: 'The server is fine. Catch InvalidAnswer to ask again, or let the error go to the client.',
  },
  SIGIL_ANSWER_MALFORMED: {
    problem: 'The answer to {question} is malformed: {reason}',
    fix: 'Report it to the author of the client. Catch InvalidAnswer to continue without the answer.',
  },
  SIGIL_STATE_TOO_LONG: {
    problem:
      'The answers and once() results of this call need a requestState of {length} characters, more than {maximum}.',
    fix: 'Store less with once(), ask for less at a time, or raise createServer({ requestState: { maximum } }).',
  },
  SIGIL_ONCE_RESULT: {
    problem: 'once({key}) stores JSON, and its result cannot be written as JSON.',
    fix: 'Return plain data without cycles or BigInt.',
  },
  SIGIL_URL_NOT_ABSOLUTE: {
    problem: 'elicitUrl() needs an absolute URL, not {url}.',
    fix: 'Include the scheme and the host: https://example.com/page.',
  },
  SIGIL_URL_SCHEME: {
    problem: 'The scheme {scheme} is not supported by elicitUrl().',
    fix: 'Use the https URL of a page that a browser can open.',
  },
  SIGIL_URL_CREDENTIALS: {
    problem: 'The URL of elicitUrl() must not contain credentials.',
    fix: 'Remove the user name and password: the client shows the URL to the user.',
  },
  SIGIL_SAMPLE_EMPTY: { problem: 'sample() needs at least one message.', fix: 'Pass a text or a list of messages.' },
  SIGIL_SAMPLE_MAX_TOKENS: {
    problem: 'sample({ maxTokens }) must be a whole number of at least 1.',
    fix: 'Pass such a number, or leave it out for 1000.',
  },
  SIGIL_SAMPLE_NO_CONTENT: {
    problem: 'Message {index} of sample() has no content.',
    fix: 'Add a text or at least one content block, or remove the message.',
  },
  SIGIL_SAMPLE_BLOCK: {
    problem: 'Message {index} of sample() has a block of type {type}. Allowed types: {known}.',
    fix: 'Make blocks with text(), image() and audio().',
  },
  SIGIL_SAMPLE_MIXED_RESULTS: {
    problem:
      'Message {index} of sample() contains a tool result, so it must have the role user and contain only tool results.',
    fix: 'Move everything else into a message before or after it.',
  },
  SIGIL_SAMPLE_TOOL_USER: {
    problem: 'Message {index} of sample() uses a tool, which only the assistant can do.',
    fix: "Give the message the role 'assistant'.",
  },
  SIGIL_SAMPLE_TOOL_RESULTS: {
    problem:
      'Message {index} of sample() uses tools, so the next message must contain the result of each: {odd} does not match.',
    fix: 'Answer each tool use with one result that has the same id.',
  },
} as const satisfies CatalogueEntries;

/** Why `context.signal` fired. */
export const ENDED_CALLS = {
  SIGIL_CANCELLED: {
    problem: 'The client cancelled the request{reason}.',
    fix: 'Stop the work: the result goes nowhere.',
  },
  SIGIL_CLIENT_GONE: {
    problem: 'The client closed the connection.',
    fix: 'Stop the work: the result goes nowhere.',
  },
  SIGIL_TOKEN_EXPIRED: {
    problem: "The client's token has expired.",
    fix: 'Nothing to fix on the server: the client connects again with a new token.',
  },
  SIGIL_CALL_ANSWERED: {
    problem: 'The call was answered before this finished.',
    fix: 'Await every question before the handler returns.',
  },
  SIGIL_SHUTTING_DOWN: {
    problem: 'The server is shutting down.',
    fix: 'Finish earlier, or give calls more time with createServer({ shutdownDeadline }).',
  },
  SIGIL_DETACHED_LATE: {
    problem: 'The work took longer than {timeout} ms.',
    fix: 'Finish earlier, or raise the timeout of call.detach().',
  },
  SIGIL_SESSION_ENDED: { problem: 'The client ended the session.', fix: 'Stop the work: the result goes nowhere.' },
  SIGIL_HANDSHAKE_FAILED: {
    problem: 'The handshake failed.',
    fix: 'Let the client initialize again, as described in the error that it received.',
  },
  SIGIL_SESSION_IDLE: {
    problem: 'The session was idle for too long.',
    fix: 'If clients pause longer, raise the option sessions.idleTime.',
  },
  SIGIL_SESSION_EVICTED: {
    problem: 'The session was closed to make room for another one.',
    fix: 'If more clients connect at the same time, raise limits.sessions or limits.sessionsPerClient of the endpoint.',
  },
} as const satisfies CatalogueEntries;
