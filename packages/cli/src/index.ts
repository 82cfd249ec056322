/** The sigil command, for programs that call it as a function. */
export { CompileThreads } from './compile-threads';
export { CliFailure } from './failure';
export { runCli, type CliOptions } from './run-cli';
export type { Input, Output, ShellParts } from './terminal/shell';
