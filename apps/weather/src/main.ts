import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { server } from './server';

void server.listen(new StdioTransport());
