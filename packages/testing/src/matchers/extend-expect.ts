/** Importing `@sigil-mcp/testing/matchers` adds our matchers to the global `expect`; it has no other effect. */
import { sigilError } from '@sigil-mcp/core/adapter';
import { matchers } from './matchers';

// Test runners define `expect` as a global that the language has no type for.
const { expect } = globalThis as { readonly expect?: { extend(matchers: object): void } };
if (!expect) throw sigilError('SIGIL_TEST_WITHOUT_EXPECT');
expect.extend(matchers);
