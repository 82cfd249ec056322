/** The sigil command, for programs that run it from within. */
export { CliFailure } from './failure';
export { runCli } from './run-cli';
