/** The error for what cannot happen. */
import type { CatalogueEntries } from './catalogue-entry';

/** A mistake of Sigil itself. */
export const INTERNAL_ERROR = {
  SIGIL_INTERNAL: {
    problem: 'Internal error: {what}.',
    fix: 'This is a bug in Sigil. Please report it with the stack trace.',
  },
} as const satisfies CatalogueEntries;
