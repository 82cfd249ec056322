/** Importing `@sigil-mcp/testing/matchers` gives the global `expect` our matchers; that is all it does. */
import { matchers } from './matchers';

// Test runners put `expect` where the language has no type for it.
const { expect } = globalThis as { readonly expect?: { extend(matchers: object): void } };
if (!expect)
  throw new Error(
    '@sigil-mcp/testing/matchers adds to the global `expect`, and there is none yet. Load it in `setupFilesAfterEnv` of jest, ' +
      'or call expect.extend(matchers) with the `expect` of your runner and the `matchers` of @sigil-mcp/testing.',
  );
expect.extend(matchers);
