/** A stream of pieces -> one body. Used instead of Fastify's own reading, which holds each piece without checking whether there is room. */
import type { IncomingMessage } from 'node:http';
import { errorCodes } from 'fastify';
import { refusal } from '../refusals/refusal';
import type { BodyBuffer } from './body-buffer';

/** Takes a body, or what is wrong with it. */
export type BodyDone = (error: Error | null, body?: Buffer) => void;

/** What is known of a body before it comes. */
export interface ExpectedBody {
  readonly buffer: BodyBuffer;
  /** Bytes that it may have. */
  readonly limit: number;
  /** Bytes that its head has announced; undefined where it has not. */
  readonly length: number | undefined;
}

/** The stream that a `preParsing` hook returns instead of the body may report the length of the body. */
type Payload = IncomingMessage & { readonly receivedEncodedLength?: number };

/** Reads a body to its end, and is done once. After a failure, the rest of the body is left to the code that answers. */
export function collectBody(payload: Payload, { buffer, limit, length }: ExpectedBody, done: BodyDone): void {
  let isDone = false;
  const finish: BodyDone = (error, body) => {
    if (isDone) return;
    isDone = true;
    done(error, body);
  };
  const onData = (piece: Buffer | string): void => {
    if (isDone) return;
    // A hook's stream may be one of text.
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    if (buffer.length + bytes.length > limit || (payload.receivedEncodedLength ?? 0) > limit)
      return finish(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    try {
      buffer.add(bytes);
    } catch (error) {
      finish(error as Error);
    }
  };
  const onEnd = (): void => {
    const received = payload.receivedEncodedLength || buffer.length;
    if (length !== undefined && received !== length) finish(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH());
    else finish(null, buffer.bytes);
  };
  const onError = (error: Error): void =>
    finish(isForClient(error) ? error : refusal(400, 'The request could not be read.'));
  payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
}

/** Whether the stream of a hook says how to answer, as one that decrypts may. */
function isForClient(error: Error): boolean {
  return 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode >= 400;
}
