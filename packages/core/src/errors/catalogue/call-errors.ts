/** What goes wrong while a call runs: in what a handler does or returns, in how it asks, and why its signal fired. */
import type { CatalogueEntries } from './catalogue-entry';

/** Of handlers, interceptors and lists. */
export const HANDLER_ERRORS = {
  SIGIL_INVALID_OUTPUT: {
    what: '{where} returned a value that does not fit its output: {failures}.',
    mend: 'Return what the class declares, or change the class.',
  },
  SIGIL_OUTPUT_DATA: {
    what: '{where} returned what JSON cannot say: {path} is {what}.',
    mend: 'Return text, finite numbers, booleans, null, dates, and arrays, Sets, Maps and objects of them; await promises, and spread into an array what is iterated.',
  },
  SIGIL_OUTPUT_BYTES: {
    what: '{where} returned binary data among other data: {path} is bytes.',
    mend: 'Return a Buffer by itself, make content of it with image(), audio() or embedded(), beside data in toolResult({ content, structured }), or put it into the data as text: toString("base64").',
  },
  SIGIL_OUTPUT_MIXED: {
    what: '{where} returned content and data in one list: {path} is {what}.',
    mend: 'Return text and blocks alone: spread a list of blocks, write data as text, or say both in toolResult({ content, structured }).',
  },
  SIGIL_OUTPUT_MISPLACED: {
    what: '{where} returned what {maker}() makes, which is for {kind}.',
    mend: 'Return toolResult() from tools, contents() from resources, and text, blocks or data from either.',
  },
  SIGIL_OUTPUT_LINK: {
    what: '{where} returned contents of a resource which are a link to another resource.',
    mend: 'Return text, bytes, data, or pieces made with contents(); links are content of tools and prompts.',
  },
  SIGIL_PROMPT_OUTPUT: {
    what: '{where} returned something that is no prompt message.',
    mend: 'Return a string, a content block, or messages made with userMessage() and assistantMessage().',
  },
  SIGIL_COMPLETER_OUTPUT: {
    what: 'The completer of {entry} returned no array.',
    mend: 'Return the values as an array; an empty one where there are none.',
  },
  SIGIL_LIST_OUTPUT: {
    what: 'The list of {template} cannot be read: {reason}.',
    mend: 'Return an array, or, from a method that takes a PageRequest, { resources, nextCursor }.',
  },
  SIGIL_LIST_ITEM: {
    what: '[{index}] in the list of {template} cannot be listed: {reason}.',
    mend: 'Return { variables } or { uri }.',
  },
  SIGIL_EXPAND_UNKNOWN: { what: 'The template has no variable {variable}.', mend: 'Give it {known}.' },
  SIGIL_EXPAND_MISSING: { what: 'The template needs its variable {variable}.', mend: 'Give it a value.' },
  SIGIL_EXPAND_KIND: {
    what: "The template's variable {variable} takes {wanted}.",
    mend: 'Give it just that.',
  },
  SIGIL_NEXT_TWICE: { what: '{interceptor} called next() twice.', mend: 'Call it at most once.' },
} as const satisfies CatalogueEntries;

/** Of `context.elicit`, `elicitUrl`, `sample`, `roots` and `once`. */
export const ASKING_ERRORS = {
  SIGIL_QUESTION_TIMEOUT: {
    what: 'The time for an answer is {timeout}.',
    mend: 'Give milliseconds, more than 0 and at most 2147483647, or Infinity for none.',
  },
  SIGIL_QUESTION_KEY: {
    what: 'The key {key} is used for {before} and for {question}.',
    mend: 'Give each question a key of its own.',
  },
  SIGIL_QUESTION_CHANGED: {
    what: 'The key {key} was used for {before} and now for {question}.',
    mend: 'A handler runs again for each answer and must ask the same questions in the same words; give each question a key of its own.',
  },
  SIGIL_SWALLOWED_SUSPENSION: {
    what: "The handler went on without the client's answer to {question}: it caught the suspension, or did not await the question.",
    mend: 'Rethrow errors that isSuspension() knows, await every question, and use Promise.all in place of Promise.allSettled.',
  },
  SIGIL_ANSWER_UNFIT: {
    what: 'The answer to {question} does not fit its form: {failures}',
    mend: 'Nothing is wrong with the server: catch InvalidAnswer to ask again, or let the client be told.',
  },
  SIGIL_ANSWER_MALFORMED: {
    what: 'The answer to {question} is malformed: {reason}',
    mend: 'Report it to the maker of the client; catch InvalidAnswer to go on without the answer.',
  },
  SIGIL_STATE_TOO_LONG: {
    what: 'The answers and once() results of this call make a requestState of {length} characters, more than {maximum}.',
    mend: 'Keep less in once(), ask for less at a time, or raise createServer({ requestState: { maximum } }).',
  },
  SIGIL_ONCE_RESULT: {
    what: 'once({key}) keeps JSON, and its result cannot be written as such.',
    mend: 'Return plain data without cycles and BigInt.',
  },
  SIGIL_URL_NOT_ABSOLUTE: {
    what: 'elicitUrl() needs an absolute URL, not {url}.',
    mend: 'Give it scheme and host: https://example.com/page.',
  },
  SIGIL_URL_SCHEME: {
    what: 'elicitUrl() needs an https URL, not one with {scheme}',
    mend: 'Give it a page that a browser opens.',
  },
  SIGIL_URL_CREDENTIALS: {
    what: 'The URL of elicitUrl() must hold no credentials.',
    mend: 'Take name and password out of it: the client shows it to the user.',
  },
  SIGIL_SAMPLE_EMPTY: { what: 'sample() needs at least one message.', mend: 'Give it a text or a list of messages.' },
  SIGIL_SAMPLE_MAX_TOKENS: {
    what: 'sample({ maxTokens }) must be a whole number of at least 1.',
    mend: 'Give such a number, or leave it out for 1000.',
  },
  SIGIL_SAMPLE_NO_CONTENT: {
    what: 'Message {index} of sample() has no content.',
    mend: 'Give it a text or at least one block, or leave the message out.',
  },
  SIGIL_SAMPLE_BLOCK: {
    what: 'Message {index} of sample() has a block of the type {type}; there may be {known}.',
    mend: 'Make blocks with text(), image() and audio().',
  },
  SIGIL_SAMPLE_MIXED_RESULTS: {
    what: 'Message {index} of sample() must be of the user and hold nothing but tool results, because it holds one.',
    mend: 'Put everything else into a message before or after it.',
  },
  SIGIL_SAMPLE_TOOL_USER: {
    what: 'Message {index} of sample() uses a tool, which only the assistant does.',
    mend: "Give the message the role 'assistant'.",
  },
  SIGIL_SAMPLE_TOOL_RESULTS: {
    what: 'Message {index} of sample() uses tools, and the next one must have the result of each: {odd} does not fit.',
    mend: 'Answer each tool use with one result, under the same id.',
  },
} as const satisfies CatalogueEntries;

/** Why `context.signal` fired. */
export const ENDED_CALLS = {
  SIGIL_CANCELLED: {
    what: 'The client cancelled the request{reason}.',
    mend: 'Stop working for it: nobody gets the result.',
  },
  SIGIL_CLIENT_GONE: {
    what: 'The client closed the connection.',
    mend: 'Stop working for it: nobody gets the result.',
  },
  SIGIL_TOKEN_EXPIRED: {
    what: 'The token of the client has expired.',
    mend: 'Nothing is to be done here: the client comes back with another.',
  },
  SIGIL_CALL_ANSWERED: {
    what: 'The call was answered without this.',
    mend: 'Await every question before the handler returns.',
  },
  SIGIL_SHUTTING_DOWN: {
    what: 'The server is shutting down.',
    mend: 'Finish earlier, or give calls more time with createServer({ shutdownDeadline }).',
  },
  SIGIL_SESSION_ENDED: { what: 'The client ended the session.', mend: 'Stop working for it: nobody gets the result.' },
  SIGIL_HANDSHAKE_FAILED: {
    what: 'The handshake failed.',
    mend: 'Let the client initialize again, as the error that it got says.',
  },
  SIGIL_SESSION_IDLE: {
    what: 'The session was idle for too long.',
    mend: 'Raise the option sessions.idleTime where clients pause longer.',
  },
  SIGIL_SESSION_EVICTED: {
    what: 'The session made room for another one.',
    mend: 'Raise limits.sessions or limits.sessionsPerClient of the endpoint where more clients come at the same time.',
  },
} as const satisfies CatalogueEntries;
