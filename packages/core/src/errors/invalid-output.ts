/** What a handler returned does not fit what it declares: a bug of the server, masked for the client. */
import type { Failure } from './failure';
import { describeFailures } from './failure';
import { SigilError } from './sigil-error';
import { wordsFor } from './words-for';

/** Logged with every failure; the client sees only that something went wrong, and its id. */
export class InvalidOutput extends SigilError {
  override readonly name = 'InvalidOutput';

  constructor(where: string, failures: readonly Failure[]) {
    super(wordsFor('SIGIL_INVALID_OUTPUT', { where, failures: describeFailures(failures) }));
  }
}
