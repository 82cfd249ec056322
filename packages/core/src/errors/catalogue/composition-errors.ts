/** What can be wrong with the parts that a server is put together of: modules, and what is made for each call. */
import type { CatalogueEntries } from '@sigil-mcp/base';

/** Of `createServer({ modules })` and of providers that are scoped to the request. */
export const COMPOSITION_ERRORS = {
  SIGIL_MODULES: {
    problem: 'its modules are {value}.',
    fix: 'Pass an array of modules made with defineModule().',
  },
  SIGIL_NOT_A_MODULE: {
    problem: '{value} is not a module.',
    fix: 'Pass the result of defineModule({ features, providers, ... }). Classes belong in its features.',
  },
  SIGIL_MODULE_PREFIX: {
    problem: 'the prefix {prefix} cannot start a tool name.',
    fix: 'Use 1 to 64 characters of A-Z a-z 0-9 _ - . (an underscore is added after it), or leave it out.',
  },
  SIGIL_MODULE_PROVIDER: {
    problem: 'it provides {token}, which {other} provides in another way.',
    fix: 'Choose one in createServer({ providers }), which overrides modules.',
  },
  SIGIL_REQUEST_SCOPE: {
    problem: 'it is created once, but depends on {token}, which is created for each call ({path}).',
    fix: "Get it during the call with await context.get({token}), or create the class that depends on it for each call as well: scope: 'request'.",
  },
  SIGIL_REQUEST_ROOT: {
    problem: "its scope is 'request', but features, guards and interceptors are created once.",
    fix: 'Remove the scope. Move what belongs to one call into a provider and get it with await context.get(...).',
  },
  SIGIL_SCOPE_CONTAINER: {
    problem: "the scope of {token} is 'request', but the container has no openScope() method.",
    fix: 'Add the method to the container, or remove createServer({ container }).',
  },
  SIGIL_SCOPE_OVER: {
    problem: '{token} is created for a call, and the call has ended.',
    fix: 'Get it before the handler returns. After a cancellation nothing new is created.',
  },
} as const satisfies CatalogueEntries;
