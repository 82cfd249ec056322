/** Importing `@sigil-mcp/testing/matchers` gives the global `expect` our matchers; that is all it does. */
import { sigilError } from '@sigil-mcp/core/adapter';
import { matchers } from './matchers';

// Test runners put `expect` where the language has no type for it.
const { expect } = globalThis as { readonly expect?: { extend(matchers: object): void } };
if (!expect) throw sigilError('SIGIL_TEST_WITHOUT_EXPECT');
expect.extend(matchers);
