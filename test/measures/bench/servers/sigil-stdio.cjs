/** Sigil over stdio. */
require('@sigil-mcp/core/stdio/guard');
const { StdioTransport } = require('@sigil-mcp/core/stdio');
const { createBenchServer } = require('./sigil.cjs');

void createBenchServer(JSON.parse(process.argv[2] ?? '{}')).listen(new StdioTransport());
