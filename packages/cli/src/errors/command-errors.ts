/** Errors that end the command `sigil`: wrong arguments, targets that are not servers, servers that do not answer. */
import type { CatalogueEntries } from '@sigil-mcp/base';

const CHECK_COMMAND = 'Check how it is written, or install it first.';

/** Errors of the typed command. */
export const TYPING_ERRORS = {
  SIGIL_CLI_ARGUMENT: { problem: '"{word}" is not an argument.', fix: 'Write arguments as name=value. {known}' },
  SIGIL_CLI_ARGUMENT_UNKNOWN: { problem: '{of} has no argument "{name}".', fix: 'Check its arguments. {suggestion}' },
  SIGIL_CLI_ARGUMENT_MISSING: { problem: '{of} needs {names}.', fix: 'Add {wanted}.' },
  SIGIL_CLI_ARGUMENT_TWICE: {
    problem: '"{name}" is given {count} times, but takes one value.',
    fix: 'Pass it once.',
  },
  SIGIL_CLI_ARGUMENT_TYPE: {
    problem: '"{name}" cannot be "{text}": its type is {type}.',
    fix: 'Pass it as {name}=<{wanted}>.',
  },
  SIGIL_CLI_ARGUMENT_CHOICE: {
    problem: '"{name}" cannot be "{text}".',
    fix: 'Did you mean {near}? Allowed values: {choices}.',
  },
  SIGIL_CLI_ARGUMENT_FILE: {
    problem: 'The file "{path}" for "{name}" cannot be read.',
    fix: 'Check the path. To pass "{text}" as it is, write {name}=@{text}.',
  },
  SIGIL_CLI_ARGUMENTS_JSON: {
    problem: 'The arguments are not JSON: {reason}.',
    fix: 'Write all of them as one JSON object in single quotes.',
  },
  SIGIL_CLI_STDIN: {
    problem: 'The arguments on stdin are not a JSON object: {reason}.',
    fix: 'Pipe one JSON object into the command: sigil call <tool> - < arguments.json',
  },
  SIGIL_CLI_ANSWER_FIELD: {
    problem: 'The form of the server has no field "{name}", which --answer names.',
    fix: 'Check the name. {suggestion}',
  },
  SIGIL_CLI_TYPES_CHECK: {
    problem: '--check compares with a file, and no file is given.',
    fix: 'Add --out <file>.',
  },
  SIGIL_CLI_TYPES_DIFFER: {
    problem: '{file} does not match what the server offers.',
    fix: 'Run the command without --check, and look at what has changed.',
  },
  SIGIL_CLI_USAGE_COMMAND: {
    problem: 'There is no command "{name}".',
    fix: 'Check its name. {suggestion}The command sigil --help lists all of them.',
  },
  SIGIL_CLI_USAGE_OPTION: {
    problem: '{command} has no option {option}.',
    fix: 'Check its name. {suggestion}The command {command} --help lists all of them.',
  },
  SIGIL_CLI_PACKAGE: {
    problem: '{command} is in the package {name}, which is not installed.',
    fix: 'Install it first: {install}',
  },
  SIGIL_CLI_TOKENIZER: {
    problem: 'Tokens are counted by the package gpt-tokenizer, which is not installed.',
    fix: 'Install it first: npm install --save-dev gpt-tokenizer',
  },
  SIGIL_CLI_PACKAGE_FAILED: {
    problem: '{name} was not installed: {reason}.',
    fix: 'Install it by hand: {install}',
  },
  SIGIL_CLI_USAGE_MISSING: { problem: '{command} needs the argument <{argument}>.', fix: 'Write it as: {usage}' },
  SIGIL_CLI_USAGE_EXCESS: { problem: '{command} does not take {surplus}.', fix: 'Use only these arguments: {usage}' },
  SIGIL_CLI_USAGE_VALUE: { problem: '{name} cannot be "{value}".', fix: 'Use another value. {rule}' },
  SIGIL_CLI_USAGE_VALUE_MISSING: { problem: 'The option {option} has no value.', fix: 'Write the value after it.' },
  SIGIL_CLI_USAGE: { problem: 'The command line is not valid: {reason}.', fix: 'See {command} --help.' },
  SIGIL_CLI_UNEXPECTED: {
    problem: 'sigil failed unexpectedly: {reason}',
    fix: 'Report it, with the stack trace on stderr, at https://github.com/sigil-mcp/sigil/issues.',
  },
  SIGIL_CLI_NO_CODE: {
    problem: 'There is no code of an error in {text}.',
    fix: 'Pass the code that stands in brackets behind the message: sigil explain SIGIL_TOOL_NAME.{suggestion}',
  },
  SIGIL_CLI_NOTHING_FOUND: {
    problem: 'The documentation has nothing about {question}.',
    fix: 'Try other words, or read it at {site}.',
  },
  SIGIL_CLI_NUMBER: {
    problem: '{option} is {value}, which is not a number.',
    fix: 'Use a number that is not negative.',
  },
  SIGIL_CLI_NOTHING_NAMED: { problem: 'No {kind} to {verb} was given.', fix: 'Write it as: {usage}' },
  SIGIL_CLI_ONE_RESOURCE: {
    problem: 'Pass exactly one resource to read.',
    fix: 'Write it as: sigil read [target] <uri>',
  },
  SIGIL_CLI_ENTRY_UNKNOWN: { problem: 'The server has no {kind} "{name}".', fix: 'Check its name. {suggestion}' },
  SIGIL_CLI_RESOURCE_UNKNOWN: {
    problem: 'The server did not read {uri}: {reason} ({code}).',
    fix: 'Check the URI. {suggestion}',
  },
  SIGIL_CLI_QUOTE: { problem: 'A quote is not closed in: {line}', fix: 'Close it, or escape it with \\.' },
  SIGIL_CLI_TARGET_SCHEME: {
    problem: '"{target}" is not an address that sigil can connect to.',
    fix: 'Use http:// or https://.',
  },
  SIGIL_CLI_TARGET_URL: { problem: '"{target}" is not a URL.', fix: 'Write it as http://host:port/mcp.' },
  SIGIL_CLI_TARGET_FILE: {
    problem: 'There is no file "{target}".',
    fix: 'Check the path. "." is the project in this folder. To run a command of that name, put it after --, as in: sigil inspect -- {target}',
  },
  SIGIL_CLI_TARGET_COMMAND: {
    problem: 'There is no command after --.',
    fix: 'Write it there, as in: -- npx some-server.',
  },
  SIGIL_CLI_TARGET_PROGRAM: {
    problem: '"{target}" is neither a server nor a program that could be one.',
    fix: 'Use a URL, a .js or .ts file, a project folder, an executable file, or a command after --.',
  },
  SIGIL_CLI_INTERRUPTED: { problem: 'Cancelled by {how}.', fix: 'The server was told to stop.' },
  SIGIL_INSTALL_CMD: {
    problem: '{command} is a batch file on Windows, and cmd.exe, which runs it, would take {word} for something else.',
    fix: 'Start a program in its place, such as node with the file of the server, or put the text in a variable with --env.',
  },
} as const satisfies CatalogueEntries;

/** Errors of the connection to a server. */
export const MEETING_ERRORS = {
  SIGIL_CLI_COMMAND_UNKNOWN: { problem: 'There is no such command: {command}.', fix: CHECK_COMMAND },
  SIGIL_CLI_COMMAND_FORBIDDEN: {
    problem: '"{command}" is not executable.',
    fix: 'Make it executable (chmod +x), or name the program that runs it.',
  },
  SIGIL_CLI_COMMAND_BROKEN: { problem: '"{command}" could not be started: {reason}.', fix: 'Try to run it by hand.' },
  SIGIL_CLI_ENDED_EARLY: {
    problem: '"{program}" ended ({how}) before it answered as an MCP server.',
    fix: 'Look for the reason. {words}',
  },
  SIGIL_CLI_CRASHED: {
    problem: 'An error of its own ended {program} ({how}).',
    fix: 'Fix it, and run the command again.',
  },
  SIGIL_CLI_NO_SERVER: {
    problem:
      '"{file}" ended (status 0) before it answered as an MCP server: it does not export a server and does not start one.',
    fix: 'Export it (export const server = createServer(...)), or {instead}.{words}',
  },
  SIGIL_CLI_CIRCULAR: {
    problem:
      '"{program}" ended because of a circular import: a file uses {name} from a file that is loaded after it. {words}',
    fix: 'Move {name} to a file that imports neither of them. sigil doctor names the files.',
  },
  SIGIL_CLI_ENDED: {
    problem: 'The server "{program}" ended during the command ({how}).',
    fix: 'Look for the reason. {words}',
  },
  SIGIL_CLI_NOBODY_READS: { problem: 'The server has ended.', fix: 'Start it again.' },
  SIGIL_CLI_STRAY_LINE: {
    problem: '"{program}" is not an MCP server over stdio: it printed "{line}" to stdout, where only messages may go.',
    fix: 'Write messages to stdout and everything else to stderr.',
  },
  SIGIL_CLI_LATE: {
    problem: '{target} did not answer as an MCP server within {time}{printed}.',
    fix: 'Check that it is one. If it starts slowly, allow more time with --timeout <seconds>.',
  },
  SIGIL_CLI_GREETING: {
    problem: '{target} answered the first request with an error: {reason} ({code}).',
    fix: 'Check that it is an MCP server, and over HTTP whether it needs a token (--header).',
  },
  SIGIL_CLI_NOBODY_LISTENS: {
    problem: 'Nothing is listening at {host}.',
    fix: 'Start the server first, or check the port.',
  },
  SIGIL_CLI_NO_HOST: { problem: 'The host {host} was not found.', fix: 'Check its name and your network.' },
  SIGIL_CLI_NOT_SECURE: {
    problem: 'A secure connection to {host} failed ({code}).',
    fix: 'Make Node trust its certificate with NODE_EXTRA_CA_CERTS, or check http against https.',
  },
  SIGIL_CLI_NO_CONNECTION: {
    problem: 'The connection to {host} failed ({code}).',
    fix: 'Check the address. Is it an HTTP server?',
  },
  SIGIL_CLI_NO_ENDPOINT: {
    problem: '{url} is not an MCP endpoint: it answered with {answer} ({status}).',
    fix: 'Check the path of the URL. Many servers have their endpoint at /mcp.',
  },
  SIGIL_CLI_HOST: {
    problem: 'The server at {url} does not serve the host {host} (HTTP 421){said}.',
    fix: 'Use a host name that the server allows in the URL, or allow {host} at the server (ALLOWED_HOSTS for a server made with Sigil).',
  },
  SIGIL_CLI_REJECTED: {
    problem: 'The server at {url} rejected the first request (HTTP {status}){said}.',
    fix: 'Change the command as the message says, or ask the operator of the server.',
  },
  SIGIL_CLI_WHO_ARE_YOU: {
    problem: '{url} requires authentication (HTTP 401){said}.',
    fix: 'Pass a token with --token <token> or in SIGIL_TOKEN, or sign in with the browser (--sign-in, in a terminal) if the server names an authorization server.',
  },
  SIGIL_CLI_DENIED: {
    problem: 'The server at {url} denied the request (HTTP 403){said}.',
    fix: 'Ask for permission, or use the token of a user who has it: --token <token>.',
  },
  SIGIL_CLI_SCOPES: {
    problem: 'The server at {url} denied the request (HTTP 403): it needs a token with the {scopes}.',
    fix: 'Pass one with --token <token> or in SIGIL_TOKEN, or sign in for it with the browser (--sign-in, in a terminal).',
  },
  SIGIL_CLI_TOKEN_NONE: {
    problem: 'The token from {source} is empty, or has characters that are not allowed in a token.',
    fix: 'Pass it exactly as printed, without a prefix such as Bearer.',
  },
  SIGIL_CLI_NOT_SIGNED_IN: { problem: 'You did not sign in.', fix: 'Try again, or pass a token with --token <token>.' },
  SIGIL_CLI_NO_TERMINAL: {
    problem: 'Signing in needs a terminal, but sigil does not run in one.',
    fix: 'Pass a token with --token <token> or in SIGIL_TOKEN. In a terminal, sigil token <url> prints one.',
  },
  SIGIL_CLI_SIGN_IN_REFUSED: {
    problem: 'The authorization server refused the sign-in: {reason}.',
    fix: 'Sign in as a user with access, or ask the operator of the server.',
  },
  SIGIL_CLI_SIGN_IN_FAILED: {
    problem: 'Signing in for {url} failed: {reason}',
    fix: 'Check the authorization server named in its metadata, or pass a token with --token <token>.',
  },
  SIGIL_CLI_SIGN_IN_ADDRESS: {
    problem: 'The authorization server has an address that is not safe to open: {address}.',
    fix: 'Tell the operator of the server.',
  },
  SIGIL_CLI_UNREGISTERED: {
    problem: 'The authorization server of {url} does not register clients automatically: {reason}',
    fix: 'Register a public client there with the redirect URI http://127.0.0.1/callback (with --callback-port <port>: http://127.0.0.1:<port>/callback), and pass its id with --client-id <id>.',
  },
  SIGIL_CLI_CALLBACK_PORT: {
    problem: 'Port {port} cannot be used for the redirect of the browser: {reason}.',
    fix: 'Free it, or choose another with --callback-port <port>.',
  },
  SIGIL_CLI_TOKEN_UNUSED: {
    problem: '--token is for a server at a URL. {target} is a program, which takes no token over stdio.',
    fix: 'Pass credentials in its environment, in the form that it expects.',
  },
  SIGIL_CLI_TOKEN_URL: { problem: 'A token is for a server at a URL.', fix: 'Write it as: sigil token <url>' },
  SIGIL_CLI_NOT_FOUND: {
    problem: '{url} was not found (HTTP 404){said}.',
    fix: 'Try again: the server may have lost the session, for example after a restart.',
  },
  SIGIL_CLI_TOO_MANY: {
    problem: 'The server at {url} received too many requests (HTTP 429){said}.',
    fix: 'Try again {later}.',
  },
  SIGIL_CLI_UNAVAILABLE: {
    problem: 'The server at {url} is unavailable (HTTP 503){said}.',
    fix: 'Try again {later}.',
  },
  SIGIL_CLI_SERVER_FAILED: {
    problem: 'The server at {url} failed (HTTP {status}){said}.',
    fix: 'Look for the reason in its log.',
  },
  SIGIL_CLI_REFUSED: {
    problem: 'The server at {url} refused the request (HTTP {status}){said}.',
    fix: 'Tell the author of the server: a client cannot fix this.',
  },
  SIGIL_CLI_WENT_AWAY: {
    problem: 'The connection to the server at {url} was lost ({how}).',
    fix: 'Start the server again, then repeat the command.',
  },
  SIGIL_CLI_ANSWER_LATE: {
    problem: 'The answer did not arrive in time.',
    fix: 'Allow more time with --timeout <seconds>.',
  },
  SIGIL_CLI_ANSWER_ERROR: {
    problem: 'The server answered with an error: {reason} ({code}).',
    fix: 'Check the arguments with sigil inspect. If the tool asks a question, answer it with --answer <field>=<value>: of a local project, sigil inspect shows the forms, too.',
  },
  SIGIL_CLI_TASK_AND_TOOL: {
    problem: '--task follows a task that exists, but "{name}" was given, too.',
    fix: 'Leave out the tool and its arguments: sigil call [target] --task <id>',
  },
  SIGIL_CLI_TASK_CANCELLED: {
    problem: 'The task {task} was cancelled{said}.',
    fix: 'Call the tool again if you need its result.',
  },
  SIGIL_CLI_ANSWER_INVALID: {
    problem: "The server's answer violates the protocol: {reason}",
    fix: 'Tell the author of the server.',
  },
  SIGIL_CLI_SAMPLING: {
    problem: 'The call asks for the answer of a model, and none was given.',
    fix: 'Answer for the model with --answer sampling=<text>.',
  },
  SIGIL_CLI_OUTPUT: {
    problem: 'The files cannot be written to {folder}: {reason}.',
    fix: 'Choose another folder with --output. Nothing was left behind.',
  },
} as const satisfies CatalogueEntries;

/** Errors of `sigil audit verify`. */
export const AUDIT_ERRORS = {
  SIGIL_AUDIT_SECRET_ENV: {
    problem: 'The environment variable {name} has no secret.',
    fix: 'Set it to the secret of audit({ secret }), or name another variable with --secret-env.',
  },
  SIGIL_AUDIT_UNREADABLE: {
    problem: 'The audit records cannot be read: {reason}.',
    fix: 'Check the paths of the files.',
  },
  SIGIL_AUDIT_NO_RECORDS: {
    problem: 'The folder {folder} has no audit records.',
    fix: 'Name the folder of fileSink({ path }), or a copy of it.',
  },
  SIGIL_AUDIT_MIXED: {
    problem: 'The folder {folder} was named together with files.',
    fix: 'Name folders, each of whose chains is verified, or the files of one chain.',
  },
} as const satisfies CatalogueEntries;
