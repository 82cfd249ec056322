/** An MCP server as a function of AWS Lambda, behind a function URL or an HTTP API of API Gateway. */
import { OPTION_RULES, requireOptions } from '@sigil-mcp/core/adapter';
import type { Server } from '@sigil-mcp/core';
import { httpError } from '../errors';
import { createFetchHandler, type FetchHandler } from '../fetch';
import { refusal } from '../refusals/refusal';
import { refused } from '../responses';
import { ENDPOINT_OPTIONS } from '../options/endpoint-rules';
import type { HttpHandlerOptions } from '../served-endpoint';
import { requestOf, resultOf, type FunctionEvent, type FunctionResult } from './function-event';
import { streamResponse, type ResponseStream } from './response-stream';

/** The options of a handler: those of the endpoint. The address of a client is that of its request. */
export type LambdaHandlerOptions = HttpHandlerOptions;

/** A function that answers requests. */
export interface LambdaHandler {
  (event: FunctionEvent): Promise<FunctionResult>;
  /** Resolves when the server has started; rejects with what `server.listen` rejects with. */
  readonly ready: Promise<void>;
}

const LAMBDA_OPTIONS = { ...ENDPOINT_OPTIONS, isLoopback: OPTION_RULES.flag };

/** What Lambda has in its global scope for functions that stream. */
interface LambdaGlobals {
  readonly awslambda?: {
    streamifyResponse<T>(handler: (event: FunctionEvent, stream: ResponseStream) => Promise<void>): T;
  };
}

/**
 * Starts a server, and serves it as a function that returns complete responses. `stream` is `buffered` if left out: clients learn that
 * there are no change notifications, so that none waits for a stream until the function times out.
 * @throws DefinitionError for options that do not exist or are of the wrong kind
 * @example export const handler = createLambdaHandler(server, { allowedHosts: ['mcp.example.com'] });
 */
export function createLambdaHandler(server: Server, options: LambdaHandlerOptions = {}): LambdaHandler {
  requireOptions('createLambdaHandler', options, LAMBDA_OPTIONS);
  const addresses = new WeakMap<Request, string | undefined>();
  const handle = fetchHandler(server, { stream: 'buffered', ...options }, addresses);
  const answer = async (event: FunctionEvent): Promise<FunctionResult> => {
    const request = requestOf(event);
    return resultOf(request ? await handle(noted(request, event, addresses)) : unreadable());
  };
  return Object.assign(answer, { ready: handle.ready });
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
  requireOptions('createStreamingLambdaHandler', options, LAMBDA_OPTIONS);
  const addresses = new WeakMap<Request, string | undefined>();
  const handle = fetchHandler(server, options, addresses);
  const answer = async (event: FunctionEvent, stream: ResponseStream): Promise<void> => {
    const gone = new AbortController();
    stream.on('close', () => gone.abort());
    const request = requestOf(event, gone.signal);
    await streamResponse(request ? await handle(noted(request, event, addresses)) : unreadable(), stream);
  };
  return Object.assign(awslambda.streamifyResponse<LambdaHandler>(answer), { ready: handle.ready });
}

function fetchHandler(
  server: Server,
  options: LambdaHandlerOptions,
  addresses: WeakMap<Request, string | undefined>,
): FetchHandler {
  return createFetchHandler(server, { ...options, address: (request) => addresses.get(request) });
}

/** The answer to what is no request of HTTP that a server takes. */
function unreadable(): Response {
  const { status, headers, body } = refused(
    refusal(400, 'The method, the host, a header or the path of the request is not valid.'),
  );
  return new Response(body as string, { status, headers });
}

function noted(request: Request, event: FunctionEvent, addresses: WeakMap<Request, string | undefined>): Request {
  addresses.set(request, event.requestContext.http.sourceIp);
  return request;
}
