/** A stream of pieces -> one body. Used instead of Fastify's own reading, which holds each piece without checking whether there is room. */
import type { IncomingMessage } from 'node:http';
import { refusal, type BodyReader } from '@sigil-mcp/http/adapter';

/** Takes a body, or what is wrong with it. */
export type BodyDone = (error: Error | null, body?: Buffer) => void;

/** The stream that a `preParsing` hook returns instead of the body may report the length of the body. */
type Payload = IncomingMessage & { readonly receivedEncodedLength?: number };

/** Reads a body to its end, and is done once. After a failure, the rest of the body is left to the code that answers. */
export function collectBody(payload: Payload, openReader: () => BodyReader, done: BodyDone): void {
  let isDone = false;
  const finish: BodyDone = (error, body) => {
    if (isDone) return;
    isDone = true;
    done(error, body);
  };
  const attempt = <T>(take: () => T): T | undefined => {
    try {
      return take();
    } catch (error) {
      finish(error as Error);
      return undefined;
    }
  };
  const reader = attempt(openReader);
  if (!reader) return;
  const onData = (piece: Buffer | string): void => {
    if (isDone) return;
    // A hook's stream may be one of text.
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    attempt(() => reader.add(bytes, payload.receivedEncodedLength));
  };
  const onEnd = (): void => {
    const body = attempt(() => reader.end(payload.receivedEncodedLength));
    if (body) finish(null, body);
  };
  const onError = (error: Error): void =>
    finish(isForClient(error) ? error : refusal(400, 'The request could not be read.'));
  payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
}

/** Whether the stream of a hook says how to answer, as one that decrypts may. */
function isForClient(error: Error): boolean {
  return 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode >= 400;
}
