/** What ends the command `sigil`: words that were typed wrongly, targets that are no servers, servers that do not answer. */
import type { CatalogueEntries } from './catalogue-entry';

const CHECK_COMMAND = 'Check how it is written, or install it first.';

/** Of what was typed. */
export const TYPING_ERRORS = {
  SIGIL_CLI_ARGUMENT: { what: '"{word}" is no argument.', mend: 'Write arguments as name=value. {known}' },
  SIGIL_CLI_ARGUMENT_UNKNOWN: { what: '{of} has no argument "{name}".', mend: 'Check what it takes. {suggestion}' },
  SIGIL_CLI_ARGUMENT_MISSING: { what: '{of} needs {names}.', mend: 'Add {wanted}.' },
  SIGIL_CLI_ARGUMENT_TWICE: {
    what: '"{name}" is given {count} times, but takes one value.',
    mend: 'Give it once.',
  },
  SIGIL_CLI_ARGUMENT_TYPE: {
    what: '"{name}" cannot be "{text}": its type is {type}.',
    mend: 'Give it as {name}=<{wanted}>.',
  },
  SIGIL_CLI_ARGUMENT_CHOICE: {
    what: '"{name}" cannot be "{text}".',
    mend: 'Did you mean {near}? It takes: {choices}.',
  },
  SIGIL_CLI_ARGUMENT_FILE: {
    what: 'The file "{path}" for "{name}" cannot be read.',
    mend: 'Check the path. If "{text}" is meant as it stands, write {name}=@{text}.',
  },
  SIGIL_CLI_ARGUMENTS_JSON: {
    what: 'The arguments are not JSON: {reason}.',
    mend: 'Write all of them as one object, in single quotes.',
  },
  SIGIL_CLI_NUMBER: { what: '{option} is {value}, which is no number.', mend: 'Give a number that is not negative.' },
  SIGIL_CLI_NOTHING_NAMED: { what: 'There is no {kind} to {verb}.', mend: 'Write it as: {usage}' },
  SIGIL_CLI_ONE_RESOURCE: {
    what: 'There must be one resource to read.',
    mend: 'Write it as: sigil read <target> <uri>',
  },
  SIGIL_CLI_ENTRY_UNKNOWN: { what: 'The server has no {kind} "{name}".', mend: 'Check its name. {suggestion}' },
  SIGIL_CLI_RESOURCE_UNKNOWN: {
    what: 'The server did not read {uri}: {reason} ({code}).',
    mend: 'Check the URI. {suggestion}',
  },
  SIGIL_CLI_QUOTE: { what: 'A quote is not closed in: {line}', mend: 'Close it, or escape it with \\.' },
  SIGIL_CLI_TARGET_SCHEME: {
    what: '"{target}" is no address that sigil can connect to.',
    mend: 'Use http:// or https://.',
  },
  SIGIL_CLI_TARGET_URL: { what: '"{target}" is not a URL.', mend: 'Write it as http://host:port/mcp.' },
  SIGIL_CLI_TARGET_FILE: {
    what: 'There is no file "{target}".',
    mend: 'Check the path; the project in this folder is ".". To run a command of that name, put it after --, as in: sigil inspect -- {target}',
  },
  SIGIL_CLI_TARGET_COMMAND: {
    what: 'There is no command after --.',
    mend: 'Write it there, as in: -- npx some-server.',
  },
  SIGIL_CLI_TARGET_PROGRAM: {
    what: '"{target}" is no server, and no program that could be one.',
    mend: 'Name a URL, a .js or .ts file, a folder with a project, an executable file, or a command after --.',
  },
  SIGIL_CLI_INTERRUPTED: { what: 'Cancelled by {how}.', mend: 'The server was told to stop.' },
} as const satisfies CatalogueEntries;

/** Of servers that a command looks for, meets and talks to. */
export const MEETING_ERRORS = {
  SIGIL_CLI_COMMAND_UNKNOWN: { what: 'There is no such command: {command}.', mend: CHECK_COMMAND },
  SIGIL_CLI_COMMAND_FORBIDDEN: {
    what: '"{command}" may not be run.',
    mend: 'Make it executable (chmod +x), or name the program that runs it.',
  },
  SIGIL_CLI_COMMAND_BROKEN: { what: '"{command}" could not be started: {reason}.', mend: 'Try to run it by hand.' },
  SIGIL_CLI_ENDED_EARLY: {
    what: '"{program}" ended ({how}) before it answered as an MCP server.',
    mend: 'Look for the reason. {words}',
  },
  SIGIL_CLI_NO_SERVER: {
    what: '"{file}" ended (status 0) before it answered as an MCP server: it exports none, and puts none on a transport.',
    mend: 'Export it (export const server = createServer(...)), or {instead}.{words}',
  },
  SIGIL_CLI_CIRCULAR: {
    what: '"{program}" ended because a file needs {name} of a file that is loaded after it: they import each other. {words}',
    mend: 'Move {name} to a file that imports neither of them; sigil doctor names the files.',
  },
  SIGIL_CLI_ENDED: {
    what: 'The server "{program}" ended in the middle ({how}).',
    mend: 'Look for the reason. {words}',
  },
  SIGIL_CLI_NOBODY_READS: { what: 'The server has ended.', mend: 'Start it again.' },
  SIGIL_CLI_STRAY_LINE: {
    what: '"{program}" is not an MCP server over stdio: it printed "{line}" where a message belongs.',
    mend: 'A server writes messages to stdout and everything else to stderr.',
  },
  SIGIL_CLI_LATE: {
    what: '{target} did not answer as an MCP server within {time}{printed}.',
    mend: 'Check that it is one; if it is only slow to start, give it longer with --timeout <seconds>.',
  },
  SIGIL_CLI_GREETING: {
    what: "{target} answers a client's greeting with an error: {reason} ({code}).",
    mend: 'Check that it is an MCP server, and over HTTP whether it wants a token (--header).',
  },
  SIGIL_CLI_NOBODY_LISTENS: {
    what: 'Nobody listens at {host}.',
    mend: 'Start the server first, or check the port.',
  },
  SIGIL_CLI_NO_HOST: { what: 'There is no host called {host}.', mend: 'Check its name and your network.' },
  SIGIL_CLI_NOT_SECURE: {
    what: 'There is no secure connection to {host} ({code}).',
    mend: 'Let Node trust its certificate with NODE_EXTRA_CA_CERTS, or check http against https.',
  },
  SIGIL_CLI_NO_CONNECTION: {
    what: 'There is no connection to {host} ({code}).',
    mend: 'Check the address; is it an HTTP server?',
  },
  SIGIL_CLI_NO_ENDPOINT: {
    what: '{url} is not an MCP endpoint: it answered with {answer} ({status}).',
    mend: 'Check the path of the URL; many servers have their endpoint under /mcp.',
  },
  SIGIL_CLI_WHO_ARE_YOU: {
    what: '{url} wants to know who you are (HTTP 401){said}.',
    mend: 'Give a token with --token <token> or in SIGIL_TOKEN, or sign in with the browser (--sign-in, at a terminal) where the server names its authorization server.',
  },
  SIGIL_CLI_DENIED: {
    what: 'The server at {url} denies this (HTTP 403){said}.',
    mend: 'Ask for the right, or come as somebody who has it, with --token <token>.',
  },
  SIGIL_CLI_SCOPES: {
    what: 'The server at {url} denies this (HTTP 403): it needs a token that has the {scopes}.',
    mend: 'Give one with --token <token> or in SIGIL_TOKEN, or sign in for it with the browser (--sign-in, at a terminal).',
  },
  SIGIL_CLI_TOKEN_NONE: {
    what: 'The token from {source} is empty, or has characters that no token has.',
    mend: 'Give it as it was printed, without a word before it, such as Bearer.',
  },
  SIGIL_CLI_NOT_SIGNED_IN: { what: 'You did not sign in.', mend: 'Repeat this, or give a token with --token <token>.' },
  SIGIL_CLI_NO_TERMINAL: {
    what: 'There is no terminal at which somebody could sign in.',
    mend: 'Give a token with --token <token> or in SIGIL_TOKEN. At a terminal, sigil token <url> prints one.',
  },
  SIGIL_CLI_SIGN_IN_REFUSED: {
    what: 'The authorization server did not let you in: {reason}.',
    mend: 'Sign in as somebody who may, or ask whoever runs it.',
  },
  SIGIL_CLI_SIGN_IN_FAILED: {
    what: 'Signing in for {url} failed: {reason}',
    mend: 'Check the authorization server that its metadata names, or give a token with --token <token>.',
  },
  SIGIL_CLI_SIGN_IN_ADDRESS: {
    what: 'The authorization server is at an address that no browser should open: {address}.',
    mend: 'Tell whoever runs the server.',
  },
  SIGIL_CLI_UNREGISTERED: {
    what: 'The authorization server of {url} does not register clients by itself: {reason}',
    mend: 'Register one there that is public, with the redirect URI http://127.0.0.1/callback (with --callback-port <port>: http://127.0.0.1:<port>/callback), and name it with --client-id <id>.',
  },
  SIGIL_CLI_CALLBACK_PORT: {
    what: 'The browser cannot come back to port {port}: {reason}.',
    mend: 'Free it, or give another with --callback-port <port>.',
  },
  SIGIL_CLI_TOKEN_UNUSED: {
    what: '--token is for a server at a URL; {target} is a program, and takes none over stdio.',
    mend: 'Give its credentials in its environment, as it wants them.',
  },
  SIGIL_CLI_TOKEN_URL: { what: 'A token is for a server at a URL.', mend: 'Write it as: sigil token <url>' },
  SIGIL_CLI_NOT_FOUND: {
    what: '{url} was not found (HTTP 404){said}.',
    mend: 'Repeat this: the server may have forgotten the session, as it does when it starts again.',
  },
  SIGIL_CLI_TOO_MANY: { what: 'The server at {url} has had enough (HTTP 429){said}.', mend: 'Repeat this {later}.' },
  SIGIL_CLI_UNAVAILABLE: {
    what: 'The server at {url} cannot take this now (HTTP 503){said}.',
    mend: 'Repeat this {later}.',
  },
  SIGIL_CLI_SERVER_FAILED: {
    what: 'The server at {url} failed (HTTP {status}){said}.',
    mend: 'Look at its log, which says why.',
  },
  SIGIL_CLI_REFUSED: {
    what: 'The server at {url} refused this (HTTP {status}){said}.',
    mend: 'Tell whoever wrote the server: no client of the protocol can mend that.',
  },
  SIGIL_CLI_WENT_AWAY: {
    what: 'The server at {url} went away in the middle ({how}).',
    mend: 'Start it again, then repeat this.',
  },
  SIGIL_CLI_ANSWER_LATE: {
    what: 'The answer did not come in time.',
    mend: 'Give it longer with --timeout <seconds>.',
  },
  SIGIL_CLI_ANSWER_ERROR: {
    what: 'The server answered with an error: {reason} ({code}).',
    mend: 'See what it offers and takes with sigil inspect{log}.',
  },
  SIGIL_CLI_ANSWER_INVALID: {
    what: "The server's answer is not what the protocol allows: {reason}",
    mend: 'Tell whoever wrote the server.',
  },
  SIGIL_CLI_SAMPLING: {
    what: 'The call needs the answer of a model, and there was none.',
    mend: 'Answer in its place with --answer sampling=<text>.',
  },
  SIGIL_CLI_OUTPUT: {
    what: 'The files cannot be written to {folder}: {reason}.',
    mend: 'Name another folder with --output; nothing was left behind.',
  },
} as const satisfies CatalogueEntries;
