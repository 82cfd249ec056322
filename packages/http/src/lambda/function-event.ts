/** The event of an HTTP request to AWS Lambda, of format 2.0: function URLs and HTTP APIs of API Gateway send it. */

/**
 * What is read of an event.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html
 */
export interface FunctionEvent {
  readonly rawPath: string;
  readonly rawQueryString?: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly requestContext: {
    readonly domainName?: string;
    readonly http: { readonly method: string; readonly sourceIp?: string };
  };
}

/** A complete response. */
export interface FunctionResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** Parts of a path that stand for a folder above, or for the same one. */
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Makes a request of an event.
 * @param signal aborts when the client is gone
 * @returns undefined for one that no server takes: with an odd method, host or header, or with a path that is another one when it is resolved
 */
export function requestOf(event: FunctionEvent, signal?: AbortSignal): Request | undefined {
  if (DOTS.test(event.rawPath)) return undefined;
  try {
    return readRequest(event, signal);
  } catch {
    return undefined;
  }
}

function readRequest(event: FunctionEvent, signal: AbortSignal | undefined): Request {
  const { rawPath, rawQueryString = '', body, isBase64Encoded, requestContext } = event;
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers)) if (value !== undefined) headers.set(name, value);
  const host = headers.get('host') ?? requestContext.domainName ?? 'lambda';
  const query = rawQueryString === '' ? '' : `?${rawQueryString}`;
  const { method } = requestContext.http;
  const hasBody = body !== undefined && method !== 'GET' && method !== 'HEAD';
  return new Request(`https://${host}${rawPath}${query}`, {
    method,
    headers,
    ...(hasBody && { body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') }),
    ...(signal && { signal }),
  });
}

/** Waits for the whole of a response. */
export async function resultOf(response: Response): Promise<FunctionResult> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  return {
    statusCode: status,
    headers: Object.fromEntries(headers),
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  };
}
