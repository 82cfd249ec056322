/** What a handler returned does not fit what it declares: a bug of the server, masked for the client. */
import type { Failure } from '../schema/compiled-shape';

/** Logged with every failure; the client sees only that something went wrong, and its id. */
export class InvalidOutput extends Error {
  override readonly name = 'InvalidOutput';
  readonly code = 'SIGIL_INVALID_OUTPUT';

  constructor(where: string, failures: readonly Failure[]) {
    const sentences = failures.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
    super(
      `${where} returned a value that does not fit its output class: ${sentences.join('; ')}. ` +
        'Return what the class declares, or change the class.',
    );
  }
}
