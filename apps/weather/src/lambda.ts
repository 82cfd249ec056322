/** The server as a function: AWS Lambda calls `handler` for each request to its function URL, or to an HTTP API in front of it. */
// #region lambda
import { mcpPlugin } from '@sigil-mcp/fastify';
import Fastify from 'fastify';
import { server } from './server';

const app = Fastify();
const allowedHosts = process.env['ALLOWED_HOSTS']?.split(',') ?? [];
// A function returns complete responses: clients learn that there are no change notifications, so none waits for a stream to time out.
void app.register(mcpPlugin, { server, path: '/mcp', stream: 'buffered', allowedHosts });

/** Answers one request. */
export async function handler(event: HttpEvent): Promise<HttpAnswer> {
  const { rawPath, headers, body = '', isBase64Encoded, requestContext } = event;
  const { method, sourceIp } = requestContext.http;
  const {
    statusCode,
    headers: answered,
    rawPayload,
  } = await app.inject({
    method: method as 'POST',
    url: rawPath,
    headers,
    payload: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
    remoteAddress: sourceIp,
  });
  return { statusCode, headers: { ...answered }, body: rawPayload.toString('base64'), isBase64Encoded: true };
}
// #endregion lambda

/** The fields of a Lambda request that are used here (payload format 2.0). */
export interface HttpEvent {
  readonly rawPath: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } };
}

/** The response that Lambda sends to the client. */
export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}
