/** The threads in which commands compile projects, for all specs of a worker: Node loads this file once, jest would do it for each spec. */
const { CompileThreads } = require('@sigil-mcp/cli');

exports.compileThreads = new CompileThreads();
