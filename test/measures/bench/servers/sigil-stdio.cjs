/** Sigil over stdio. */
require('@sigil-mcp/core/stdio/guard');
const { StdioTransport } = require('@sigil-mcp/core/stdio');
const { createBenchServer } = require('./sigil.cjs');

// `sigil build --fast-start` loads the program with arguments of its own.
const order = JSON.parse(process.env.SIGIL_BENCH_ORDER ?? process.argv[2] ?? '{}');
void createBenchServer(order).listen(new StdioTransport());
