/** Importing `@sigil-mcp/testing/matchers` adds our matchers to the global `expect`; it has no other effect. */
import { matchers } from './matchers';
import { testingError } from '../errors';

// Test runners define `expect` as a global that the language has no type for.
const { expect } = globalThis as { readonly expect?: { extend(matchers: object): void } };
if (!expect) throw testingError('SIGIL_TEST_WITHOUT_EXPECT');
expect.extend(matchers);
