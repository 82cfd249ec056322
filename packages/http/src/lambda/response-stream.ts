/** Sends a response through the stream that AWS Lambda gives to a function. */
import type { Writable } from 'node:stream';

/** The stream of a response. Its head is given to a class in the global scope of Lambda. */
export type ResponseStream = Writable;

/** What makes a stream whose head is sent first. */
interface StreamGlobals {
  readonly awslambda: {
    readonly HttpResponseStream: {
      from(stream: ResponseStream, head: { statusCode: number; headers: Record<string, string> }): ResponseStream;
    };
  };
}

/** Sends a response as it is written; resolves when all of it is sent, or when the client is gone. */
export async function streamResponse(response: Response, stream: ResponseStream): Promise<void> {
  // Only Lambda calls this.
  const { awslambda } = globalThis as unknown as StreamGlobals;
  const { status: statusCode, headers, body } = response;
  const sent = awslambda.HttpResponseStream.from(stream, { statusCode, headers: Object.fromEntries(headers) });
  sent.on('error', () => undefined);
  const reader = body?.getReader();
  if (reader) await sendAll(reader, sent);
  await new Promise<void>((resolve) => {
    sent.once('close', resolve);
    sent.end(resolve);
  });
}

async function sendAll(reader: ReadableStreamDefaultReader<Uint8Array>, sent: Writable): Promise<void> {
  let isGone = false;
  const over = (): void => {
    isGone = true;
    reader.cancel().catch(() => undefined);
  };
  sent.once('close', over);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || isGone) return;
      if (!sent.write(value)) await drained(sent);
    }
  } catch {
    // The server has aborted the response: what is sent of it is all there is.
  } finally {
    sent.off('close', over);
  }
}

function drained(sent: Writable): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      sent.off('drain', settle).off('close', settle);
      resolve();
    };
    sent.on('drain', settle).on('close', settle);
  });
}
