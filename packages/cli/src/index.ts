/** The sigil command, for programs that call it as a function. */
export { CliFailure } from './failure';
export { runCli } from './run-cli';
