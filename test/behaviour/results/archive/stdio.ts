/** The archive on stdin and stdout. */
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { archive } from './archive';

void archive().listen(new StdioTransport());
