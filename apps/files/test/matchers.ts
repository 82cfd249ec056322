/** What the jest preset does for a project of its own: gives `expect` the matchers. */
import { matchers } from '@sigil-mcp/testing';

expect.extend(matchers);
