/** Errors of a server as a whole: its options, the dependencies of its classes, and changes of it. */
import type { CatalogueEntries } from './catalogue-entry';

/** Longer ones would fire at once: the timers of Node hold no more. */
const TIME_LIMIT = 'Use milliseconds, more than 0 and at most 2147483647, or Infinity for no limit.';

/** Of `createServer`, of the container, of `server.override` and of `server.registry`. */
export const SERVER_ERRORS = {
  SIGIL_DEFINITION: {
    what: 'The server has definition errors.',
    fix: 'Fix the problems that the error lists in its message and in `problems`. Each has its own code.',
  },
  SIGIL_OPTION_UNKNOWN: { what: 'there is no such option.', fix: 'Use one of: {known}.' },
  SIGIL_OPTION_KIND: { what: 'it is {value}.', fix: 'Pass {wanted}.' },
  SIGIL_REVISIONS: {
    what: 'it serves no revision of the {kind} kind.',
    fix: 'Serve at least one revision with a handshake and one without, or leave the option out to serve all of them.',
  },
  SIGIL_REVISION_INVALID: {
    what: '{value} is not {wanted}.',
    fix: 'Pass an array of revisions: pick from ALL_REVISIONS, or compile your own rules with compileRevision().',
  },
  SIGIL_REVISION_TWICE: {
    what: 'it serves {version} more than once.',
    fix: 'List each revision once, and give your own rules a version of their own.',
  },
  SIGIL_LIMIT: {
    what: 'the limit {limit} is {value}.',
    fix: 'Use a whole number of at least 1, or Infinity for no limit. Leave it out for the default.',
  },
  SIGIL_LIMIT_UNKNOWN: { what: 'there is no limit called {limit}.', fix: 'Use one of: {known}.' },
  SIGIL_LIMIT_RATE: {
    what: 'the rate {limit} is {rate}.',
    fix: "Use { calls, per }: a whole number of at least 1, and milliseconds, 'second', 'minute' or 'hour'. Use false for no limit.",
  },
  SIGIL_RATE: {
    what: 'RateLimit() cannot use the rate {rate}.',
    fix: "Use { calls, per }: a whole number of at least 1, and milliseconds, 'second', 'minute' or 'hour'.",
  },
  SIGIL_CONCURRENCY: {
    what: '{concurrency} is not a number of calls.',
    fix: 'Use a whole number of at least 1, or leave it out for no limit.',
  },
  SIGIL_TOOL_TIMEOUT: { what: '{timeout} is not a valid time limit.', fix: TIME_LIMIT },
  SIGIL_ANSWER_TIMEOUT: { what: '{timeout} is not a valid time limit.', fix: TIME_LIMIT },
  SIGIL_REQUEST_STATE: { what: '{value} is not a positive number.', fix: 'Use a number greater than 0.' },
  SIGIL_WEAK_SECRETS: {
    what: 'there must be at least one secret, and each needs at least {least} characters.',
    fix: `Generate one: node -p "require('crypto').randomBytes(32).toString('base64url')"`,
  },
  SIGIL_STORES_UNUSABLE: {
    what: 'The stores that this server shares with other instances cannot be used: {reason}.',
    fix: 'Check that the store is reachable and writable, and that this server has the permissions listed in docs/deployment.md.',
  },
  SIGIL_REDIS_CLIENT: {
    what: 'redis({ client }) was given an unknown client.',
    fix: 'Pass the result of createClient() or createCluster() of @redis/client 6 (or redis 6), or a Redis or Cluster of ioredis 6. For Sentinel, use ioredis.',
  },
  SIGIL_REDIS_NAMESPACE: {
    what: 'redis({ namespace }) is {namespace}.',
    fix: 'Use at most 100 letters, digits, `-`, `_` and `:`, or leave it out to use the name of the server.',
  },
  SIGIL_REDIS_NUMBER: {
    what: 'redis({ {option} }) is {value}.',
    fix: 'Use a whole number from 1 to 2147483647, or leave it out for the default.',
  },
  SIGIL_MISSING_PROVIDER: {
    what: 'no provider for {token}.',
    fix: 'Add { provide: {token}, useValue: ... } (or useClass, useFactory) to createServer({ providers }).',
  },
  SIGIL_PROVIDER: {
    what: '{value} is not a provider.',
    fix: 'Pass a class, or { provide: TheToken } with one of useValue, useClass and useFactory. undefined usually means a circular import.',
  },
  SIGIL_FACTORY_INJECT: {
    what: 'its useFactory has more parameters ({count}) than `inject` has tokens ({injected}).',
    fix: 'List a token for each parameter, in order: { provide, useFactory, inject: [Config] }.',
  },
  SIGIL_DEPENDENCY_CYCLE: {
    what: 'it depends on itself: {path}.',
    fix: 'Move what both need into a third provider, or pass one to the other in onStart().',
  },
  SIGIL_DEPENDENCY_WITHOUT_TYPE: {
    what: 'it has a parameter without a class at run time, so nothing can be injected.',
    fix: 'Import the class with a plain `import` (not `import type`), or name the provider with @Inject(TOKEN).',
  },
  SIGIL_DEPENDENCY_WITHOUT_METADATA: {
    what: 'the compiler emitted no types for this constructor.',
    fix: 'Put @Injectable() on the class and compile with tsc or swc and "emitDecoratorMetadata", or use @Inject(TOKEN).',
  },
  SIGIL_NOT_BUILT: {
    what: '{token} was not created: it is not a provider of this server.',
    fix: 'Add it to createServer({ providers }), or to the constructor of a feature or provider.',
  },
  SIGIL_NOT_CREATED: {
    what: '{owner} could not be created{needed}: {reason}',
    fix: 'Fix the error in `cause`. Until then, everything that needs it fails.',
  },
  SIGIL_START_HOOK: {
    what: 'onStart of {owner} failed: {reason}',
    fix: 'Fix the error in `cause`. Until then the server does not start, or the call that needs it fails.',
  },
  SIGIL_STOP_HOOK: { what: 'onStop of {owner} failed: {reason}', fix: 'Fix the error in `cause`.' },
  SIGIL_STOP_HOOKS: {
    what: 'onStop hooks failed ({count}).',
    fix: 'Fix the errors in `cause.errors`. All other hooks were run.',
  },
  SIGIL_UNKNOWN_OVERRIDE: {
    what: 'the server does not use {token}: it is not a provider, and no constructor asks for it.',
    fix: 'Override one of these: {known}.',
  },
  SIGIL_OVERRIDE_LOADED_TWICE: {
    what: 'the server uses another copy of {token}: its module was loaded twice.',
    fix: 'Import it from the same file, and in the same way (import or require), as the server does.',
  },
  SIGIL_OVERRIDE_FOREIGN_CONTAINER: {
    what: 'the server has its own container, createServer({ container }), which another server cannot share.',
    fix: 'Call createServer() again, with a new container that has the other providers.',
  },
  SIGIL_NOT_AN_ENTRY: {
    what: '{value} is not an entry.',
    fix: "Add { kind: 'tool', name, description, handler } (or the kind 'resource' or 'prompt'), or a feature class: the server creates the instance.",
  },
  SIGIL_ENTRY_NAME_TAKEN: {
    what: 'a {kind} with this name already exists.',
    fix: 'Remove it first, or use another name.',
  },
  SIGIL_ENTRY_NOT_BUILT: {
    what: 'its guards or interceptors cannot be created: {reason}',
    fix: 'Add the class to createServer({ providers }), or pass an instance.',
  },
  SIGIL_UNKNOWN_ENTRY: {
    what: 'there is no {kind} with this name.',
    fix: 'Use the name of a tool or prompt, the URI of a resource or the URI template of a template, or add it first.',
  },
  SIGIL_UPDATE_REFUSED: {
    what: 'it cannot change {names} of {entry}.',
    fix: 'Remove the entry and add it again with the changes.',
  },
  SIGIL_CAPABILITY_NOT_ADVERTISED: {
    what: 'the server told clients that it has no {capability}, because it had none at start.',
    fix: "Set createServer({ capabilities: ['{capability}'] }).",
  },
  SIGIL_REGISTRY_CLOSED: {
    what: 'the server is closed.',
    fix: 'Add it before the server closes, or to another server.',
  },
  SIGIL_NOT_CLOSED: {
    what: 'Parts of the server failed to close ({count}).',
    fix: 'Fix the errors in `cause.errors`. Everything else was closed.',
  },
  SIGIL_SERVER_CLOSED: { what: 'The server was closed.', fix: 'Create another one.' },
  SIGIL_MEMORY_NOT_OPEN: { what: 'The transport is not open.', fix: 'Call server.listen(transport) first.' },
  SIGIL_STDIO_TWICE: { what: 'A StdioTransport serves one client, once.', fix: 'Create another one.' },
  SIGIL_STDIN_TAKEN: {
    what: 'Another StdioTransport already reads this input. Each would receive some of the messages.',
    fix: 'Use one StdioTransport per process, or give each its own { input } and { output }.',
  },
  SIGIL_PORT: {
    what: 'PORT is {port}, which is not a port number.',
    fix: 'Use a number from 0 to 65535.',
  },
  SIGIL_TRUST_PROXY: {
    what: 'trustProxy (TRUST_PROXY) contains {value}, which is neither an address nor a network.',
    fix: 'List each proxy: 10.0.0.7, 10.0.0.0/8, fd00::/8, loopback, linklocal or uniquelocal.',
  },
  SIGIL_AUTH_RESOURCE: {
    what: 'the resource {resource} of `auth` {reason}.',
    fix: 'Use the URI of the endpoint as clients know it, such as https://mcp.example.com/mcp. http works for loopback only.',
  },
  SIGIL_AUTH_SERVERS: {
    what: '`auth` has {what}.',
    fix: 'Set `resource`, and list in `authorizationServers` the https URL of each issuer whose tokens are accepted. Set neither if clients get their tokens in another way.',
  },
  SIGIL_AUTH_SCOPE: {
    what: '`auth` contains {scope}, which is not a valid scope.',
    fix: 'Pass one string for each scope, made of visible ASCII characters without spaces, quotes or backslashes.',
  },
  SIGIL_AUTH_VERIFY: {
    what: '`verify` of `auth` failed, so the token could not be checked.',
    fix: 'Fix the error in `cause`. For an invalid token, return undefined or throw a Denial with status 401.',
  },
  SIGIL_AUTH_LATE: {
    what: '`verify` of `auth` did not answer within {milliseconds} ms, so the token could not be checked.',
    fix: 'Give the operation that it waits for a shorter timeout, or raise `limits.verifyTimeout` of HttpTransport or mcpPlugin.',
  },
  SIGIL_AUTH_NO_CALLER: {
    what: '`verify` of `auth` returned a value of type {type}, which is not a Caller.',
    fix: 'Return new Caller({ id }), or undefined for an invalid token.',
  },
  SIGIL_JWT_OPTION: {
    what: 'the {option} of jwt() {value} cannot be used.',
    fix: 'Use the URL of each issuer exactly as it appears in `iss`, and asymmetric algorithms: RS256, ES256, EdDSA.',
  },
  SIGIL_INTROSPECTION_OPTION: {
    what: 'the {option} of introspection() {value} cannot be used.',
    fix: 'Use the URL of the issuer as in its metadata, an https endpoint, the client id and secret of this server, and a maxAge of at most 60,000 milliseconds.',
  },
  SIGIL_INTROSPECTION_ANSWER: {
    what: '{url} answered an introspection request without the member `active`.',
    fix: 'Set `url` to the introspection endpoint of the issuer (RFC 7662), or leave it out to read it from the metadata of the issuer.',
  },
  SIGIL_ISSUER_METADATA: {
    what: 'the metadata of the issuer {issuer} cannot be used: it {what}.',
    fix: 'Use the issuer exactly as it appears in its metadata and tokens, including a slash at the end.',
  },
  SIGIL_PORT_TAKEN: {
    what: 'Port {port} of {host} is already in use.',
    fix: 'Use another one with the option `port`, or PORT in the environment.',
  },
  SIGIL_INTERNAL: {
    what: 'Internal error: {what}.',
    fix: 'This is a bug in Sigil. Please report it with the stack trace.',
  },
} as const satisfies CatalogueEntries;
