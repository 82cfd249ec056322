/** A stream of pieces -> one body. Used instead of Fastify's own reading, which holds each piece without checking whether there is room. */
import type { IncomingMessage } from 'node:http';
import { refusal, type BodyReader } from '@sigil-mcp/http/adapter';

/** Takes a body, or what is wrong with it. */
export type BodyDone = (error: Error | null, body?: Buffer) => void;

/** The stream that a `preParsing` hook returns instead of the body may report the length of the body. */
type Payload = IncomingMessage & { readonly receivedEncodedLength?: number };

/**
 * Reads a body to its end, and is done once. After a failure, the rest of the body is left to the code that answers.
 * @param reader takes the pieces, and refuses them
 */
export function collectBody(payload: Payload, reader: BodyReader, done: BodyDone): void {
  let isDone = false;
  const finish: BodyDone = (error, body) => {
    if (isDone) return;
    isDone = true;
    done(error, body);
  };
  const onData = (piece: Buffer | string): void => {
    if (isDone) return;
    try {
      // A hook's stream may be one of text.
      reader.add(typeof piece === 'string' ? Buffer.from(piece) : piece, payload.receivedEncodedLength);
    } catch (error) {
      finish(error as Error);
    }
  };
  const onEnd = (): void => {
    if (isDone) return;
    let body: Buffer;
    try {
      body = reader.end(payload.receivedEncodedLength);
    } catch (error) {
      return finish(error as Error);
    }
    finish(null, body);
  };
  const onError = (error: Error): void =>
    finish(isForClient(error) ? error : refusal(400, 'The request could not be read.'));
  payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
}

/** Whether the stream of a hook says how to answer, as one that decrypts may. */
function isForClient(error: Error): boolean {
  return 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode >= 400;
}
