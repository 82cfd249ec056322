/** What can be wrong with the parts that a server is put together of: modules, and what is made for each call. */
import type { CatalogueEntries } from './catalogue-entry';

/** Of `createServer({ modules })` and of providers that are scoped to the request. */
export const COMPOSITION_ERRORS = {
  SIGIL_MODULES: {
    what: 'its modules are {value}.',
    mend: 'Give an array of what defineModule() returned.',
  },
  SIGIL_NOT_A_MODULE: {
    what: '{value} is no module.',
    mend: 'Give what defineModule({ features, providers, ... }) returned; classes go into its features.',
  },
  SIGIL_MODULE_PREFIX: {
    what: 'the prefix {prefix} cannot begin the name of a tool.',
    mend: 'Use 1 to 64 of A-Z a-z 0-9 _ - . (an underscore is put behind it), or leave it out.',
  },
  SIGIL_MODULE_PROVIDER: {
    what: 'it provides {token}, as {other} does, in another way.',
    mend: 'Say in createServer({ providers }) which one is meant: what stands there wins.',
  },
  SIGIL_REQUEST_SCOPE: {
    what: 'it is made once, and depends on {token}, which is made for each call ({path}).',
    mend: "Ask for it where the call is, with await context.get({token}), or make what depends on it for each call, too: scope: 'request'.",
  },
  SIGIL_REQUEST_ROOT: {
    what: "features, guards and interceptors are made once, and its scope is 'request'.",
    mend: 'Leave the scope out, move what belongs to a call to a provider of its own, and ask for that with await context.get(...).',
  },
  SIGIL_SCOPE_CONTAINER: {
    what: "the scope of {token} is 'request', and the container has no openScope().",
    mend: 'Give it that method, or leave createServer({ container }) out.',
  },
  SIGIL_SCOPE_OVER: {
    what: '{token} is made for a call, and the call is over.',
    mend: 'Ask for it before the handler returns; for a call that was cancelled, nothing more is begun.',
  },
} as const satisfies CatalogueEntries;
