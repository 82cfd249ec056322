/** The exit statuses of the command: the table of docs/cli.md, of `sigil --help` and of the code. */

/** The command did what it was asked to do. */
export const SUCCESS = 0;
/** The command ran, and reports a failure. */
export const FAILED = 1;
/** The command line is not valid. */
export const WRONG_USAGE = 2;
/** A server answered with a protocol error. */
export const PROTOCOL_ERROR = 3;
/** There is no server, or the connection is lost. */
export const NO_SERVER = 4;
/** An unexpected error in sigil, as in `sysexits.h`. */
export const UNEXPECTED = 70;
/** The status after a signal is this number and the number of the signal, as in shells. */
export const BY_SIGNAL = 128;

/** Every status, with its meaning for users. */
export const EXIT_STATUSES: readonly (readonly [status: string, meaning: string])[] = [
  [`${SUCCESS}`, 'success'],
  [`${FAILED}`, 'a failure: the tool reports one, `doctor` or `check` finds problems, a file cannot be written'],
  [`${WRONG_USAGE}`, 'wrong usage: an unknown command, option, tool or argument, or a value that is not valid'],
  [`${PROTOCOL_ERROR}`, 'a protocol error, or a message that the server refuses after the connection was made'],
  [`${NO_SERVER}`, 'no server: it is not there, does not compile, does not start or answer; 404 and 5xx over HTTP'],
  [`${UNEXPECTED}`, 'an unexpected error in sigil itself'],
  [`${BY_SIGNAL + 2}`, `Ctrl-C; ${BY_SIGNAL + 15} after SIGTERM, ${BY_SIGNAL + 1} after SIGHUP`],
];

/** The table for `--help`. */
export function describeStatuses(): string {
  const rows = EXIT_STATUSES.map(([status, meaning]) => `  ${status.padEnd(5)}${meaning.replaceAll('`', '')}`);
  return ['Exit status:', ...rows].join('\n');
}
