/** The sigil command, for programs that call it as a function. */
export { CliFailure } from './failure';
export { runCli, type CliOptions } from './run-cli';
export type { Input, Output, ShellParts } from './terminal/shell';
