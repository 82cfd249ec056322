/** The end of the command by a user who does not agree. */
import { endedBySignal, type CliFailure } from '../failure';
import { statusOfSignal } from '../terminal/interruption';

/** As after Ctrl-C. */
export function stopped(): CliFailure {
  return endedBySignal(statusOfSignal('SIGINT'), 'SIGIL_INSTALL_STOPPED');
}
