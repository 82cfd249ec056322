/** Errors of a server as a whole: its options, the dependencies of its classes, and changes of it. */
import { INTERNAL_ERROR, OPTION_ERRORS, type CatalogueEntries } from '@sigil-mcp/base';

/** Longer ones would fire at once: the timers of Node hold no more. */
const TIME_LIMIT = 'Use milliseconds, more than 0 and at most 2147483647, or Infinity for no limit.';

/** Of `createServer`, of the container, of `server.override` and of `server.registry`. */
export const SERVER_ERRORS = {
  SIGIL_DEFINITION: {
    problem: 'The server has definition errors.',
    fix: 'Fix the problems that the error lists in its message and in `problems`. Each has its own code.',
  },
  ...OPTION_ERRORS,
  SIGIL_REVISIONS: {
    problem: 'it serves no revision of the {kind} kind.',
    fix: 'Serve at least one revision with a handshake and one without, or leave the option out to serve all of them.',
  },
  SIGIL_REVISION_INVALID: {
    problem: '{value} is not {wanted}.',
    fix: 'Pass an array of revisions: pick from ALL_REVISIONS, or compile your own rules with compileRevision().',
  },
  SIGIL_REVISION_TWICE: {
    problem: 'it serves {version} more than once.',
    fix: 'List each revision once, and give your own rules a version of their own.',
  },
  SIGIL_LIMIT: {
    problem: 'the limit {limit} is {value}.',
    fix: 'Use a whole number of at least 1, or Infinity for no limit. Leave it out for the default.',
  },
  SIGIL_LIMIT_UNKNOWN: { problem: 'there is no limit called {limit}.', fix: 'Use one of: {known}.' },
  SIGIL_LIMIT_SHARE: {
    problem: 'the limit {limit} of one client is {value}, but {all}, the limit of all clients, is {most}.',
    fix: 'Use at most {most}, raise {all}, or leave {limit} out: it follows from {all}.',
  },
  SIGIL_LIMIT_RATE: {
    problem: 'the rate {limit} is {rate}.',
    fix: "Use { calls, per }: a whole number of at least 1, and milliseconds, 'second', 'minute' or 'hour'. Use false for no limit.",
  },
  SIGIL_RATE: {
    problem: 'RateLimit() cannot use the rate {rate}.',
    fix: "Use { calls, per }: a whole number of at least 1, and milliseconds, 'second', 'minute' or 'hour'.",
  },
  SIGIL_CONCURRENCY: {
    problem: '{concurrency} is not a number of calls.',
    fix: 'Use a whole number of at least 1, or { calls, perClient } with two of them and perClient at most calls, or leave it out for no limit.',
  },
  SIGIL_TOOL_TIMEOUT: { problem: '{timeout} is not a valid time limit.', fix: TIME_LIMIT },
  SIGIL_ANSWER_TIMEOUT: { problem: '{timeout} is not a valid time limit.', fix: TIME_LIMIT },
  SIGIL_REQUEST_STATE: { problem: '{value} is not a positive number.', fix: 'Use a number greater than 0.' },
  SIGIL_WEAK_SECRETS: {
    problem: 'there must be at least one secret, and each needs at least {least} characters.',
    fix: `Generate one: node -p "require('crypto').randomBytes(32).toString('base64url')"`,
  },
  SIGIL_SECRETS_VARIABLE: {
    problem: 'The environment variable SIGIL_SECRETS has a secret of less than {least} characters.',
    fix: `Generate one: node -p "require('crypto').randomBytes(32).toString('base64url')"`,
  },
  SIGIL_STORES_UNUSABLE: {
    problem: 'The stores that this server shares with other instances cannot be used: {reason}.',
    fix: 'Check that the store is reachable and writable, and that this server has the permissions listed in docs/deployment.md.',
  },
  SIGIL_STORE_SHARED: {
    problem: 'A store that has the data of the server {other} was given to the server {server}, too.',
    fix: 'Make a store for each server, or give both the same name if they are two of one kind.',
  },
  SIGIL_MISSING_PROVIDER: {
    problem: 'no provider for {token}.',
    fix: 'Add { provide: {token}, useValue: ... } (or useClass, useFactory) to createServer({ providers }).',
  },
  SIGIL_PROVIDER: {
    problem: '{value} is not a provider.',
    fix: 'Pass a class, or { provide: TheToken } with one of useValue, useClass and useFactory. undefined usually means a circular import.',
  },
  SIGIL_FACTORY_INJECT: {
    problem: 'its useFactory has more parameters ({count}) than `inject` has tokens ({injected}).',
    fix: 'List a token for each parameter, in order: { provide, useFactory, inject: [Config] }.',
  },
  SIGIL_DEPENDENCY_CYCLE: {
    problem: 'it depends on itself: {path}.',
    fix: 'Move what both need into a third provider, or pass one to the other in onStart().',
  },
  SIGIL_DEPENDENCY_WITHOUT_TYPE: {
    problem: 'it has a parameter without a class at run time, so nothing can be injected.',
    fix: 'Import the class with a plain `import` (not `import type`), or name the provider with @Inject(TOKEN).',
  },
  SIGIL_DEPENDENCY_WITHOUT_METADATA: {
    problem: 'the compiler emitted no types for this constructor.',
    fix: 'Put @Injectable() on the class and compile with tsc or swc and "emitDecoratorMetadata", or use @Inject(TOKEN).',
  },
  SIGIL_NOT_BUILT: {
    problem: '{token} was not created: it is not a provider of this server.',
    fix: 'Add it to createServer({ providers }), or to the constructor of a feature or provider.',
  },
  SIGIL_NOT_CREATED: {
    problem: '{owner} could not be created{needed}: {reason}',
    fix: 'Fix the error in `cause`. Until then, everything that needs it fails.',
  },
  SIGIL_START_HOOK: {
    problem: 'onStart of {owner} failed: {reason}',
    fix: 'Fix the error in `cause`. Until then the server does not start, or the call that needs it fails.',
  },
  SIGIL_STOP_HOOK: { problem: 'onStop of {owner} failed: {reason}', fix: 'Fix the error in `cause`.' },
  SIGIL_STOP_HOOKS: {
    problem: 'onStop hooks failed ({count}).',
    fix: 'Fix the errors in `cause.errors`. All other hooks were run.',
  },
  SIGIL_UNKNOWN_OVERRIDE: {
    problem: 'the server does not use {token}: it is not a provider, and no constructor asks for it.',
    fix: 'Override one of these: {known}.',
  },
  SIGIL_OVERRIDE_LOADED_TWICE: {
    problem: 'the server uses another copy of {token}: its module was loaded twice.',
    fix: 'Import it from the same file, and in the same way (import or require), as the server does.',
  },
  SIGIL_OVERRIDE_FOREIGN_CONTAINER: {
    problem: 'the server has its own container, createServer({ container }), which another server cannot share.',
    fix: 'Call createServer() again, with a new container that has the other providers.',
  },
  SIGIL_NOT_AN_ENTRY: {
    problem: '{value} is not an entry.',
    fix: "Add { kind: 'tool', name, description, handler } (or the kind 'resource' or 'prompt'), or a feature class: the server creates the instance.",
  },
  SIGIL_ENTRY_NAME_TAKEN: {
    problem: 'there is already a {entry}, in {other}.',
    fix: 'Remove it first, or use another name.',
  },
  SIGIL_ENTRY_NOT_BUILT: {
    problem: 'its guards or interceptors cannot be created: {reason}',
    fix: 'Add the class to createServer({ providers }), or pass an instance.',
  },
  SIGIL_UNKNOWN_ENTRY: {
    problem: 'there is no {kind} with this name.',
    fix: 'Use the name of a tool or prompt, the URI of a resource or the URI template of a template, or add it first.',
  },
  SIGIL_UPDATE_REFUSED: {
    problem: 'it cannot change {names} of {entry}.',
    fix: 'Remove the entry and add it again with the changes.',
  },
  SIGIL_CAPABILITY_NOT_ADVERTISED: {
    problem: 'the server told clients that it has no {capability}, because it had none at start.',
    fix: "Set createServer({ capabilities: ['{capability}'] }).",
  },
  SIGIL_REGISTRY_CLOSED: {
    problem: 'the server is closed.',
    fix: 'Add it before the server closes, or to another server.',
  },
  SIGIL_NOT_CLOSED: {
    problem: 'Parts of the server failed to close ({count}).',
    fix: 'Fix the errors in `cause.errors`. Everything else was closed.',
  },
  SIGIL_OBSERVER_NOTE: {
    problem: 'an observer noted something else than a text of at most {longest} characters.',
    fix: 'Return a short text from `note`, such as an id, or nothing.',
  },
  SIGIL_SERVER_CLOSED: { problem: 'The server was closed.', fix: 'Create another one.' },
  SIGIL_MEMORY_NOT_OPEN: { problem: 'The transport is not open.', fix: 'Call server.listen(transport) first.' },
  SIGIL_STDIO_TWICE: { problem: 'A StdioTransport serves one client, once.', fix: 'Create another one.' },
  SIGIL_STDIN_TAKEN: {
    problem: 'Another StdioTransport already reads this input. Each would receive some of the messages.',
    fix: 'Use one StdioTransport per process, or give each its own { input } and { output }.',
  },
  ...INTERNAL_ERROR,
} as const satisfies CatalogueEntries;
