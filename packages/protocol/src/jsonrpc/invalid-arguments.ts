/** Arguments of a tool, a prompt or a template that do not match their declaration. */
import { ProtocolError } from './protocol-error';

/** Thrown by the pipeline; some revisions report it for tools as a result, so that a model can correct itself. */
export class InvalidArguments extends ProtocolError {
  constructor(message: string) {
    super('invalid-params', message);
  }
}
