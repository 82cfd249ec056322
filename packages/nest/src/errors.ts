/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_NEST_PLATFORM: {
    problem: 'The HTTP platform of the Nest application is {platform}.',
    fix: 'Use @nestjs/platform-express or @nestjs/platform-fastify, or set `http: false` and serve the server (inject `Server`) yourself.',
  },
  SIGIL_NEST_TWO_GATES: {
    problem: 'The endpoint has both `endpointGuards` and `http.auth`, which identify callers in different ways.',
    fix: 'Keep one of them. `http.auth` verifies OAuth tokens itself and publishes where to get them.',
  },
  SIGIL_NEST_ENHANCER_OVERRIDDEN: {
    problem:
      '{handler} has {decorator}, which Nest has not built: it stands on a method that another one overrides, or its class is provided under another token.',
    fix: 'Repeat the decorator on the overriding method, list the class itself among the providers, or give the decorator an instance.',
  },
  SIGIL_NEST_ENHANCER_SUPPLIED: {
    problem:
      '{handler} has {decorator}, and a factory, a value or another token supplies its class, for which Nest does not build what the decorator names.',
    fix: 'List the class itself among the providers, or give the decorator an instance.',
  },
  SIGIL_NEST_ENHANCER_UNBUILT: {
    problem:
      '{handler} has {decorator}, and is no provider of Nest, which therefore does not build the class that the decorator names.',
    fix: 'Make the class of the feature a provider of a module, or give the decorator an instance.',
  },
  SIGIL_NEST_SERVED_TWICE: {
    problem: '{feature}, a provider of {module}, would be served by {servers}.',
    fix: 'Provide it in a module that imports one of the servers alone. A class that several servers have to serve is a provider of a module that imports none of them, and each of them names it in `features`.',
  },
  SIGIL_NEST_SERVED_NOWHERE: {
    problem: '{feature}, a provider of {module}, is served by none of the servers {servers}.',
    fix: 'Import one of them into {module}: keep the result of `SigilModule.forRoot(...)` in a constant, and put it into `imports`. Or name {feature} in the `features` of the server.',
  },
  SIGIL_NEST_NO_SERVER: {
    problem: '{provider}, in a module of `SigilModule.forFeature`, injects `Server`, and the application has none.',
    fix: 'Import `SigilModule.forRoot(...)` or `SigilModule.forRootAsync(...)` into its root module, or write `@Optional()` before what is injected.',
  },
  SIGIL_NEST_PATH_TAKEN: {
    problem: 'The servers {servers} have the same {place}.',
    fix: 'Give each of them another `path`, or `http: false`; one of them alone can have `stdio`.',
  },
  SIGIL_NEST_LAZY_SERVER: {
    problem:
      'The server {server} is in a module that was loaded after the application had started, so it never listens.',
    fix: 'Import its `SigilModule` into a module that is there at the start. Tools of modules that are loaded later are served then.',
  },
  SIGIL_NEST_CALL_LOST: {
    problem: 'An interceptor or a guard of Nest has left the asynchronous context of the call of {method}.',
    fix: 'Call `next.handle()` in the function that Nest calls, and not in a queue or an event listener.',
  },
});

/** Makes an error of this package, to be thrown. */
export const { error: nestError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Nest',
    about: 'Thrown by the module for Nest applications.',
    errors: ERRORS.entries,
  },
];
