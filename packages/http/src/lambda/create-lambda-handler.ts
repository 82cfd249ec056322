/** An MCP server as a function of AWS Lambda, behind a function URL, an API of API Gateway or a load balancer. */
import type { Writable } from 'node:stream';
import { isObject, requireOptions } from '@sigil-mcp/core/internal';
import type { Logger, Server } from '@sigil-mcp/core';
import { httpError } from '../errors';
import { createCheckedHandler } from '../fetch/create-fetch-handler';
import { refusal, refused } from '../call';
import { DEFAULT_PATH, HANDLER_OPTIONS } from '../options/endpoint-options';
import type { HttpHandlerOptions } from '../served-endpoint';
import { readEvent, resultOf, type FunctionRequest, type FunctionResult } from './function-event';

/** The stream of a response. Its head is given to a class in the global scope of Lambda. */
type ResponseStream = Writable;

/** What makes a stream whose head is sent first. */
interface StreamGlobals {
  readonly awslambda: {
    readonly HttpResponseStream: {
      from(stream: ResponseStream, head: { statusCode: number; headers: Record<string, string> }): ResponseStream;
    };
  };
}

/** The options of a handler: those of the endpoint. The address of a client is that of its request. */
export type LambdaHandlerOptions = HttpHandlerOptions;

/** A function that answers requests. */
export interface LambdaHandler {
  /** Answers an event; one that is no request of HTTP is logged and answered with 400. Rejects only if the server could not be started. */
  (event: unknown): Promise<FunctionResult>;
  /** Resolves when the server has started; rejects with what `server.listen` rejects with. */
  readonly ready: Promise<void>;
}

/** What Lambda has in its global scope for functions that stream. */
interface LambdaGlobals {
  readonly awslambda?: {
    streamifyResponse<T>(handler: (event: unknown, stream: ResponseStream) => Promise<void>): T;
  };
}

/**
 * Starts a server, and serves it as a function that returns complete responses. `stream` is `buffered` if left out: clients learn that
 * there are no change notifications, so that none waits for a stream until the function times out.
 * @throws DefinitionError for options that do not exist or are of the wrong kind
 * @example export const handler = createLambdaHandler(server, { allowedHosts: ['mcp.example.com'] });
 */
export function createLambdaHandler(server: Server, options: LambdaHandlerOptions = {}): LambdaHandler {
  requireOptions('createLambdaHandler', options, HANDLER_OPTIONS);
  const { ready, respond } = respondTo(server, { stream: 'buffered', ...options });
  const { path = DEFAULT_PATH } = options;
  const answer = async (event: unknown): Promise<FunctionResult> => {
    const read = readEvent(event, path);
    return resultOf(await respond(event, read), { listsHeaders: read?.listsHeaders ?? false });
  };
  return Object.assign(answer, { ready });
}

/**
 * Starts a server, and serves it as a function that streams its responses: progress arrives while a call runs. The function URL needs the
 * invoke mode `RESPONSE_STREAM`. Streams end with the time limit of the function.
 * @returns what `awslambda.streamifyResponse` makes of the handler, which is what Lambda expects to be exported
 * @throws DefinitionError for options that do not exist or are of the wrong kind, and `SIGIL_HTTP_LAMBDA` outside of Lambda
 * @example export const handler = createStreamingLambdaHandler(server, { sessions: false });
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
 */
export function createStreamingLambdaHandler(server: Server, options: LambdaHandlerOptions = {}): LambdaHandler {
  const { awslambda } = globalThis as LambdaGlobals;
  if (!awslambda) throw httpError('SIGIL_HTTP_LAMBDA');
  requireOptions('createStreamingLambdaHandler', options, HANDLER_OPTIONS);
  const { ready, respond } = respondTo(server, options);
  const { path = DEFAULT_PATH } = options;
  const answer = async (event: unknown, stream: ResponseStream): Promise<void> => {
    const gone = new AbortController();
    stream.on('close', () => gone.abort());
    await streamResponse(await respond(event, readEvent(event, path, gone.signal)), stream);
  };
  return Object.assign(awslambda.streamifyResponse<LambdaHandler>(answer), { ready });
}

interface Responder {
  readonly ready: Promise<void>;
  /** @param read what was read of the event; undefined for one that is no request of HTTP */
  readonly respond: (event: unknown, read: FunctionRequest | undefined) => Promise<Response>;
}

function respondTo(server: Server, options: LambdaHandlerOptions): Responder {
  const addresses = new WeakMap<Request, string | undefined>();
  const handle = createCheckedHandler(server, { ...options, address: (request) => addresses.get(request) });
  const respond = async (event: unknown, read: FunctionRequest | undefined): Promise<Response> => {
    if (!read) return noRequest(event, await handle.logger());
    const { request, address } = read;
    if (!request) return refusedWith('The method, the host, a header or the path of the request is not valid.');
    addresses.set(request, address);
    return handle(request);
  };
  return { ready: handle.ready, respond };
}

/** Members of a strange event that the log names. */
const NAMED_MEMBERS = 10;

/** The answer to an event of something else, such as a queue, a schedule or the test of the console. */
function noRequest(event: unknown, logger: Logger): Response {
  const members = isObject(event) ? Object.keys(event).slice(0, NAMED_MEMBERS) : [];
  logger.warn(
    { members },
    'An event that is no HTTP request was answered with 400: connect the function to a function URL, to an API of API Gateway or to a load balancer.',
  );
  return refusedWith('The event is no HTTP request of a function URL, of API Gateway or of a load balancer.');
}

function refusedWith(message: string): Response {
  const { status, headers, body } = refused(refusal(400, message));
  return new Response(body as string, { status, headers });
}

/** Sends a response as it is written; resolves when all of it is sent, or when the client is gone. */
async function streamResponse(response: Response, stream: ResponseStream): Promise<void> {
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
