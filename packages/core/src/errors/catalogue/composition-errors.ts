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
} as const satisfies CatalogueEntries;
