/** What a handler returned does not fit what it declares: a bug of the server, masked for the client. */
import type { Failure } from './failure';
import { describeFailures } from './failure';

/** Logged with every failure; the client sees only that something went wrong, and its id. */
export class InvalidOutput extends Error {
  override readonly name = 'InvalidOutput';
  readonly code = 'SIGIL_INVALID_OUTPUT';

  constructor(where: string, failures: readonly Failure[]) {
    super(
      `${where} returned a value that does not fit its output class: ${describeFailures(failures)}. ` +
        'Return what the class declares, or change the class.',
    );
  }
}
