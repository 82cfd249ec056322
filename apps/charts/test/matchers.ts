/** Adds the matchers to `expect`, as the jest preset does in other projects. */
import { matchers } from '@sigil-mcp/testing';

expect.extend(matchers);
