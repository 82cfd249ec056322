/** The events that AWS Lambda gets for requests of HTTP: of function URLs, of HTTP and REST APIs of API Gateway, and of load balancers. */
import { isObject } from '@sigil-mcp/core/internal';

/** A request of an event, and what only the event says about it. */
export interface FunctionRequest {
  /** Undefined for one that no server takes: with an odd method, host or header, or with a path that is another one when it is resolved. */
  readonly request: Request | undefined;
  /** The IP address of the client. */
  readonly address: string | undefined;
  /** Whether the response has to list the values of each header, as load balancers can be told to expect. */
  readonly listsHeaders: boolean;
}

/** A complete response, in the form that all of them take. */
export interface FunctionResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** For load balancers with several values for each header, which read no others. */
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

type EventMembers = Readonly<Record<string, unknown>>;

/** Parts of a path that stand for a folder above or for the same one, and what URLs drop, or take for the end or for a part of a path. */
const ODD_PATH = /^(?!\/)|[\0-\x20\\?#]|\/(?:\.|%2e){1,2}(?:\/|$)/i;
/** What would end the host in a URL. */
const ODD_HOST = /[\s/\\?#@]/;

/**
 * Reads an event.
 * @param endpoint the path of the endpoint, from which no stage is taken off
 * @param signal aborts when the client is gone
 * @returns undefined for an event that is no request of HTTP, such as that of a queue
 */
export function readEvent(event: unknown, endpoint: string, signal?: AbortSignal): FunctionRequest | undefined {
  const members = membersOf(event);
  const context = membersOf(members['requestContext']);
  const head = headOf(members, context);
  if (!head) return undefined;
  const headers = headersOf(members);
  return {
    request: headers && requestOf(head, headers, { context, body: bodyOf(members, head), endpoint, signal }),
    address: head.address ?? headers?.get('x-forwarded-for')?.split(',').at(-1)?.trim(),
    listsHeaders: isObject(context['elb']) && isObject(members['multiValueHeaders']),
  };
}

interface RequestRest {
  readonly context: EventMembers;
  readonly body: Buffer | undefined;
  readonly endpoint: string;
  readonly signal: AbortSignal | undefined;
}

function requestOf(
  head: RequestHead,
  headers: Headers,
  { context, body, endpoint, signal }: RequestRest,
): Request | undefined {
  const { method, query } = head;
  const path = withoutStage(head, context, endpoint);
  const host = headers.get('host') ?? textOf(context['domainName']) ?? 'lambda';
  if (ODD_PATH.test(path) || ODD_HOST.test(host)) return undefined;
  const init = { method, headers, ...(body && { body }), ...(signal && { signal }) };
  return attempt(() => new Request(`https://${host}${path}${query}`, init));
}

/** Undefined for a request without one; null stands for it in REST APIs. */
function bodyOf({ body, isBase64Encoded }: EventMembers, { method }: RequestHead): Buffer | undefined {
  if (typeof body !== 'string' || method === 'GET' || method === 'HEAD') return undefined;
  return Buffer.from(body, isBase64Encoded === true ? 'base64' : 'utf8');
}

/** The first line of a request. */
interface RequestHead {
  readonly method: string;
  readonly path: string;
  /** The path that the client has asked for; where it is another one, the stage has been taken off already. */
  readonly asked: unknown;
  /** With its question mark; empty without one. */
  readonly query: string;
  /** Undefined behind a load balancer, which names it in a header. */
  readonly address: string | undefined;
}

/**
 * Format 2.0 has `rawPath`; format 1.0 and load balancers have `httpMethod`.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 * @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html
 */
function headOf(event: EventMembers, context: EventMembers): RequestHead | undefined {
  const { method, path: asked, sourceIp } = membersOf(context['http']);
  const { rawPath, rawQueryString, path, httpMethod } = event;
  if (typeof rawPath === 'string' && typeof method === 'string') {
    const query = textOf(rawQueryString) ?? '';
    return {
      method,
      path: rawPath,
      asked,
      query: query === '' ? '' : `?${query}`,
      address: textOf(sourceIp),
    };
  }
  if (typeof path !== 'string' || typeof httpMethod !== 'string') return undefined;
  return {
    method: httpMethod,
    path,
    asked: context['path'],
    query: queryOf(event, isObject(context['elb'])),
    address: textOf(membersOf(context['identity'])['sourceIp']),
  };
}

/** Behind a domain of its author's, the path may begin with the stage or not: the path of the endpoint is never taken for a stage. */
function withoutStage({ path, asked }: RequestHead, { stage }: EventMembers, endpoint: string): string {
  if (typeof stage !== 'string' || path === endpoint || (typeof asked === 'string' && asked !== path)) return path;
  if (path === `/${stage}`) return '/';
  return path.startsWith(`/${stage}/`) ? path.slice(stage.length + 1) : path;
}

/** @param isEncoded whether names and values are as the client has sent them: API Gateway decodes them, load balancers do not */
function queryOf(event: EventMembers, isEncoded: boolean): string {
  const pairs = valuesOf(event['multiValueQueryStringParameters'], event['queryStringParameters']);
  if (pairs.length === 0) return '';
  return `?${isEncoded ? pairs.map((pair) => pair.join('=')).join('&') : String(new URLSearchParams(pairs))}`;
}

/** Undefined if HTTP has no such header. Format 2.0 has cookies apart, and function URLs have them twice. */
function headersOf(event: EventMembers): Headers | undefined {
  const cookies = Array.isArray(event['cookies']) ? event['cookies'].filter((one) => typeof one === 'string') : [];
  return attempt(() => {
    const headers = new Headers(valuesOf(event['multiValueHeaders'], event['headers']));
    if (cookies.length > 0) headers.set('cookie', cookies.join('; '));
    return headers;
  });
}

/** Names with each of their values: those of the lists, or the single ones if there are no lists. */
function valuesOf(lists: unknown, single: unknown): [string, string][] {
  const all = Object.entries(membersOf(lists));
  return (all.length > 0 ? all : Object.entries(membersOf(single))).flatMap(([name, value]: [string, unknown]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown): [string, string][] =>
      typeof one === 'string' ? [[name, one]] : [],
    ),
  );
}

function membersOf(value: unknown): EventMembers {
  return isObject(value) ? value : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Undefined for what the platform refuses to make. */
function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/** Waits for the whole of a response. */
export async function resultOf(
  response: Response,
  { listsHeaders }: { listsHeaders: boolean },
): Promise<FunctionResult> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  const single = Object.fromEntries(headers);
  // A REST API passes on the text as it is, unless its author has listed binary types; all bodies of a server are texts.
  return {
    statusCode: status,
    headers: single,
    ...(listsHeaders && {
      multiValueHeaders: Object.fromEntries(Object.entries(single).map(([name, value]) => [name, [value]])),
    }),
    body: bytes.toString('utf8'),
    isBase64Encoded: false,
  };
}
