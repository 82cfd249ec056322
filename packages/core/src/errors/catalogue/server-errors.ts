/** What can be wrong with a server as a whole: its options, what its classes are built of, what is changed of it. */
import type { CatalogueEntries } from './catalogue-entry';

/** Longer ones would fire at once: the timers of Node hold no more. */
const TIME_LIMIT = 'Give milliseconds, more than 0 and at most 2147483647, or Infinity for none.';

/** Of `createServer`, of the container, of `server.override` and of `server.registry`. */
export const SERVER_ERRORS = {
  SIGIL_DEFINITION: {
    what: 'The server has definition errors.',
    mend: 'Mend what the error lists, in its message and as its `problems`: each has a code of its own.',
  },
  SIGIL_REVISIONS: {
    what: 'it serves no revision of the {kind} kind.',
    mend: 'Serve at least one revision that shakes hands and one that does not, or leave the option out for all of them.',
  },
  SIGIL_REVISION_INVALID: {
    what: '{value} is no {wanted}.',
    mend: 'Give an array of revisions: take them from ALL_REVISIONS, or compile your own rules with compileRevision().',
  },
  SIGIL_REVISION_TWICE: {
    what: 'it serves {version} more than once.',
    mend: 'Name each revision once, and give rules of your own a version of their own.',
  },
  SIGIL_LIMIT: {
    what: 'the limit {limit} is {value}.',
    mend: 'Give a whole number of at least 1, or Infinity for none; leave it out for the default.',
  },
  SIGIL_LIMIT_UNKNOWN: { what: 'there is no limit {limit}.', mend: 'There are {known}.' },
  SIGIL_LIMIT_RATE: {
    what: 'the rate {limit} is {rate}.',
    mend: "Give { calls, per }: a whole number of at least 1, and milliseconds, 'second', 'minute' or 'hour'; false for none.",
  },
  SIGIL_RATE: {
    what: 'RateLimit() cannot keep the rate {rate}.',
    mend: "Give { calls, per }: a whole number of at least 1, and milliseconds, 'second', 'minute' or 'hour'.",
  },
  SIGIL_CONCURRENCY: {
    what: '{concurrency} is no number of calls.',
    mend: 'Give a whole number of at least 1, or leave it out for any number.',
  },
  SIGIL_TOOL_TIMEOUT: { what: '{timeout} is no time limit.', mend: TIME_LIMIT },
  SIGIL_ANSWER_TIMEOUT: { what: 'answerTimeout is {timeout}.', mend: TIME_LIMIT },
  SIGIL_REQUEST_STATE: { what: '{option} is {value}.', mend: 'Give a number, more than 0.' },
  SIGIL_WEAK_SECRETS: {
    what: 'each secret needs at least {least} characters, and there must be one.',
    mend: `Make one: node -p "require('crypto').randomBytes(32).toString('base64url')"`,
  },
  SIGIL_STORES_UNUSABLE: {
    what: 'The stores that the instances of this server share cannot be used: {reason}.',
    mend: 'See that what keeps them is reached, takes what is written, and lets this server do what docs/deployment.md says that it needs.',
  },
  SIGIL_REDIS_CLIENT: {
    what: 'redis({ client }) is given no client that it knows.',
    mend: 'Give one of createClient() or createCluster() of @redis/client 6 (or redis 6), or a Redis or Cluster of ioredis 6; through sentinels, one of ioredis.',
  },
  SIGIL_REDIS_NAMESPACE: {
    what: 'redis({ namespace }) is {namespace}.',
    mend: 'Give at most 100 letters, digits, `-`, `_` and `:`, or leave it out for the name of the server.',
  },
  SIGIL_REDIS_NUMBER: {
    what: 'redis({ {option} }) is {value}.',
    mend: 'Give a whole number of at least 1 and at most 2147483647, or leave it out for the default.',
  },
  SIGIL_MISSING_PROVIDER: {
    what: 'nothing provides {token}.',
    mend: 'Add { provide: {token}, useValue: ... } (or useClass, useFactory) to createServer({ providers }).',
  },
  SIGIL_PROVIDER: {
    what: 'it is no provider, but {value}.',
    mend: 'Give a class, or { provide: TheToken } with one of useValue, useClass and useFactory; undefined there is mostly a circular import.',
  },
  SIGIL_FACTORY_INJECT: {
    what: 'its useFactory takes parameters ({count}), but `inject` names fewer tokens ({injected}).',
    mend: 'Name a token for each of them, in their order: { provide, useFactory, inject: [Config] }.',
  },
  SIGIL_DEPENDENCY_CYCLE: {
    what: 'it depends on itself: {path}.',
    mend: 'Move what both need into a provider of its own, or give one of them the other in onStart().',
  },
  SIGIL_DEPENDENCY_WITHOUT_TYPE: {
    what: 'it has no class at run time that could be injected.',
    mend: 'Import the class with a plain `import` (not `import type`), or name the provider with @Inject(TOKEN).',
  },
  SIGIL_DEPENDENCY_WITHOUT_METADATA: {
    what: 'the compiler emitted no types for this constructor.',
    mend: 'Put @Injectable() on the class and compile with tsc or swc and "emitDecoratorMetadata", or use @Inject(TOKEN).',
  },
  SIGIL_NOT_BUILT: {
    what: '{token} was not built: it is no provider of this server.',
    mend: 'Name it in createServer({ providers }), or let a class of the definition ask for it.',
  },
  SIGIL_START_HOOK: {
    what: 'onStart of {owner} failed: {reason}',
    mend: 'Mend what `cause` says; without it the server does not start, or the call that asked for it fails.',
  },
  SIGIL_STOP_HOOK: { what: 'onStop of {owner} failed: {reason}', mend: 'Mend what `cause` says.' },
  SIGIL_STOP_HOOKS: {
    what: 'Some onStop hooks failed ({count}).',
    mend: 'Mend what `cause.errors` holds; all other hooks were run.',
  },
  SIGIL_UNKNOWN_OVERRIDE: {
    what: 'nothing in the server knows {token}: it is no provider, and no constructor asks for it.',
    mend: 'Override one of these: {known}.',
  },
  SIGIL_OVERRIDE_LOADED_TWICE: {
    what: 'the server knows another {token} than this one: its module was loaded twice.',
    mend: 'Import it from the file, and in the way, that the server imports it.',
  },
  SIGIL_OVERRIDE_FOREIGN_CONTAINER: {
    what: 'the server has a container of its own, createServer({ container }), and another server cannot share it.',
    mend: 'Call createServer() again, with a new container that has the other providers.',
  },
  SIGIL_NOT_AN_ENTRY: {
    what: 'it is no entry, but {value}.',
    mend: "Add { kind: 'tool', name, description, handler } (or the kind 'resource' or 'prompt'), or the class of a feature: the server makes its instance.",
  },
  SIGIL_ENTRY_NAME_TAKEN: {
    what: 'there is already a {kind} of this name.',
    mend: 'Remove it first, or choose another name.',
  },
  SIGIL_ENTRY_NOT_BUILT: {
    what: 'its guards or interceptors cannot be had: {reason}',
    mend: 'Name the class in createServer({ providers }), or give an instance of it.',
  },
  SIGIL_UNKNOWN_ENTRY: {
    what: 'there is no {kind} of this name.',
    mend: 'Give the name of a tool or prompt, the URI of a resource or the URI template of a template, or add it first.',
  },
  SIGIL_UPDATE_REFUSED: {
    what: 'it cannot change {names} of {entry}.',
    mend: 'Remove the entry and add another one.',
  },
  SIGIL_CAPABILITY_NOT_ADVERTISED: {
    what: 'the server told its clients that it has no {capability}, because it had none when it started.',
    mend: "Say createServer({ capabilities: ['{capability}'] }).",
  },
  SIGIL_REGISTRY_CLOSED: {
    what: 'the server was closed.',
    mend: 'Add it to another server, or before this one closes.',
  },
  SIGIL_NOT_CLOSED: {
    what: 'Some parts of the server failed while it was closed ({count}).',
    mend: 'Fix what `cause.errors` holds; everything else was closed.',
  },
  SIGIL_SERVER_CLOSED: { what: 'The server was closed.', mend: 'Create another one.' },
  SIGIL_MEMORY_NOT_OPEN: { what: 'The transport is not open.', mend: 'Call server.listen(transport) first.' },
  SIGIL_STDIO_TWICE: { what: 'A StdioTransport serves one client, once.', mend: 'Create another one.' },
  SIGIL_STDIN_TAKEN: {
    what: 'Another StdioTransport reads this input, and each would get some of the messages.',
    mend: 'Listen with one StdioTransport in a process, or give each an { input } and an { output } of its own.',
  },
  SIGIL_PORT: {
    what: 'PORT is {port}, which is no port.',
    mend: 'Set it to a number from 0 to 65535.',
  },
  SIGIL_TRUST_PROXY: {
    what: 'trustProxy (TRUST_PROXY) names {value}, which is no address and no network.',
    mend: 'Name each proxy: 10.0.0.7, 10.0.0.0/8, fd00::/8, loopback, linklocal or uniquelocal.',
  },
  SIGIL_AUTH_RESOURCE: {
    what: 'the resource {resource} of `auth` {reason}.',
    mend: 'Give the URI of the endpoint as clients know it, such as https://mcp.example.com/mcp; http is for loopback alone.',
  },
  SIGIL_AUTH_SERVERS: {
    what: '`auth` has {what}.',
    mend: 'Give a `resource` and, in `authorizationServers`, the https URL of each issuer whose tokens are good for it; or neither, for tokens that clients have from elsewhere.',
  },
  SIGIL_AUTH_SCOPE: {
    what: '`auth` names the scope {scope}, which has characters that no scope has, or none at all.',
    mend: 'Use visible characters of ASCII, without quotes and backslashes, and one text for each scope.',
  },
  SIGIL_AUTH_VERIFY: {
    what: '`verify` of `auth` failed, and nobody knows whether the token is good.',
    mend: 'Mend what `cause` says; return undefined or throw a Denial with the status 401 for a token that is not good.',
  },
  SIGIL_AUTH_LATE: {
    what: '`verify` of `auth` has not answered within {milliseconds} ms, and nobody knows whether the token is good.',
    mend: 'Give what it waits for a shorter time limit of its own, or raise `limits.verifyTimeout` of HttpTransport or mcpPlugin.',
  },
  SIGIL_AUTH_NO_CALLER: {
    what: '`verify` of `auth` returned a value of the type {type}, which is no Caller.',
    mend: 'Return new Caller({ id }), or undefined for a token that is not good.',
  },
  SIGIL_JWT_OPTION: {
    what: 'the {option} of jwt() {value} is none that can be used.',
    mend: 'Give the URL of each issuer, exactly as it stands in `iss`, and algorithms with a private key of the issuer: RS256, ES256, EdDSA.',
  },
  SIGIL_INTROSPECTION_OPTION: {
    what: 'the {option} of introspection() {value} cannot be used.',
    mend: 'Give the URL of the issuer as its metadata name it, an endpoint that is https as the issuer is, the name and the secret of this server there, and a maxAge of at most 60,000 milliseconds.',
  },
  SIGIL_INTROSPECTION_ANSWER: {
    what: '{url} answered a question about a token without saying whether it is active.',
    mend: 'Give the introspection endpoint of the issuer (RFC 7662) as `url`, or leave it out where the metadata of the issuer name it.',
  },
  SIGIL_ISSUER_METADATA: {
    what: 'the metadata of the issuer {issuer} cannot be used: it {what}.',
    mend: 'Give the issuer exactly as its metadata and its tokens name it, with or without the slash at the end.',
  },
  SIGIL_PORT_TAKEN: {
    what: 'Port {port} of {host} is taken.',
    mend: 'Choose another with the option port, or PORT in the environment.',
  },
  SIGIL_INTERNAL: {
    what: 'This cannot happen: {what}.',
    mend: 'Report it to the project, with the stack: it is a mistake of Sigil.',
  },
} as const satisfies CatalogueEntries;
