/** Masks errors for clients, and logs them so that an operator finds them. */
import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { callFields, type LoggedCall } from '../calls/call-fields';
import type { Logger } from '../logging/logger';

/** Logs an error with its cause and gives the sentence for the client: nothing but an id that stands in the log too. */
export type MaskError = (error: unknown, call: LoggedCall) => string;

/** Announces each masked error to a tool that started the program, such as the page of `sigil dev`, which knows the channel by the same name. */
const MASKED = channel('sigil:error:masked');

/** Makes the function that masks the errors of one server and writes them to its log. */
export function createMaskError(logger: Logger): MaskError {
  return (error, call) => {
    const id = randomUUID();
    logger.error({ errorId: id, ...callFields(call), err: readable(error) }, `${call.method} failed unexpectedly`);
    if (MASKED.hasSubscribers) MASKED.publish({ errorId: id, method: call.method, entry: call.entry?.key, error });
    return `Internal error (id ${id}). The server's log has the details under this id.`;
  };
}

/** What was thrown, for the log. Anything can be thrown, also nothing, which JSON would leave out. */
function readable(error: unknown): unknown {
  return error === undefined || typeof error === 'function' || typeof error === 'symbol' ? String(error) : error;
}
