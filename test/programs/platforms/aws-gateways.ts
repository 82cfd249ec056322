/** What stands before a function at AWS: each makes an event of a request, and a response of what the function returns, as its page describes it. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a function may return; what a gateway reads of it differs. */
interface Result {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** A gateway. */
export interface AwsGateway {
  readonly title: string;
  /** The folder of the URL that clients know. */
  readonly folder: string;
  readonly eventOf: (request: IncomingMessage, body: Buffer) => object;
  readonly send: (result: Result, response: ServerResponse) => void;
}

type Lists = Readonly<Record<string, readonly string[]>>;

/** Names of headers as clients have sent them, as REST APIs pass them on. */
function listsOf({ rawHeaders }: IncomingMessage, named: (name: string) => string = (name) => name): Lists {
  const lists: Record<string, string[]> = {};
  for (let at = 0; at < rawHeaders.length; at += 2)
    (lists[named(rawHeaders[at] ?? '')] ??= []).push(rawHeaders[at + 1] ?? '');
  return lists;
}

const lowercase = (name: string): string => name.toLowerCase();
const joined = (lists: Lists): object =>
  Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.join(',')]));
const last = (lists: Lists): object =>
  Object.fromEntries(Object.entries(lists).map(([name, values]) => [name, values.at(-1)]));
const withClient = (lists: Lists): Lists => ({
  ...lists,
  'x-forwarded-for': ['198.51.100.7'],
  'x-forwarded-port': ['443'],
});

function partsOf({ url = '' }: IncomingMessage): { readonly path: string; readonly query: string } {
  const [path = '', query = ''] = url.split('?');
  return { path, query };
}

/** A gateway that decodes what a function says is encoded. */
function sendDecoded({ statusCode, headers, body, isBase64Encoded }: Result, response: ServerResponse): void {
  response.writeHead(statusCode, { ...headers }).end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
}

/** Format 2.0. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
function eventOfFormat2(request: IncomingMessage, body: Buffer, stage: string): object {
  const { path, query } = partsOf(request);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers: joined(listsOf(request, lowercase)),
    requestContext: {
      accountId: '123456789012',
      apiId: 'api-id',
      domainName: 'api-id.execute-api.us-east-1.amazonaws.com',
      http: { method: request.method, path, protocol: 'HTTP/1.1', sourceIp: '198.51.100.7', userAgent: 'agent' },
      requestId: 'id',
      routeKey: '$default',
      stage,
      timeEpoch: 1583348638390,
    },
    ...(body.length > 0 && { body: body.toString('base64') }),
    isBase64Encoded: body.length > 0,
  };
}

/** Format 1.0, which decodes the query. @see https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html */
function eventOfRest(request: IncomingMessage, body: Buffer): object {
  const { path, query } = partsOf(request);
  const lists = listsOf(request);
  const pairs = [...new URLSearchParams(query)];
  return {
    resource: '/{proxy+}',
    path: path.replace(/^\/prod(?=\/|$)/, ''),
    httpMethod: request.method,
    headers: last(lists),
    multiValueHeaders: lists,
    queryStringParameters: pairs.length === 0 ? null : Object.fromEntries(pairs),
    multiValueQueryStringParameters:
      pairs.length === 0 ? null : Object.fromEntries(pairs.map(([key, one]) => [key, [one]])),
    pathParameters: { proxy: path.split('/').slice(2).join('/') },
    stageVariables: null,
    requestContext: {
      resourceId: '123456',
      resourcePath: '/{proxy+}',
      httpMethod: request.method,
      path,
      stage: 'prod',
      protocol: 'HTTP/1.1',
      identity: { sourceIp: '198.51.100.7', userAgent: 'agent', cognitoIdentityId: null },
      domainName: 'api-id.execute-api.us-east-1.amazonaws.com',
    },
    body: body.length === 0 ? null : body.toString('utf8'),
    isBase64Encoded: false,
  };
}

/** @see https://docs.aws.amazon.com/elasticloadbalancing/latest/application/lambda-functions.html */
function eventOfBalancer(request: IncomingMessage, body: Buffer, isMulti: boolean): object {
  const { path, query } = partsOf(request);
  const lists = withClient(listsOf(request, lowercase));
  const pairs = query === '' ? [] : query.split('&').map((pair) => pair.split('='));
  return {
    requestContext: { elb: { targetGroupArn: 'arn:aws:elasticloadbalancing:us-east-1:123456789012:targetgroup/a/b' } },
    httpMethod: request.method,
    path,
    ...(isMulti
      ? {
          multiValueQueryStringParameters: Object.fromEntries(pairs.map(([key, value = '']) => [key, [value]])),
          multiValueHeaders: lists,
        }
      : { queryStringParameters: Object.fromEntries(pairs) as object, headers: last(lists) }),
    body: body.toString('utf8'),
    isBase64Encoded: false,
  };
}

/** Every gateway. */
export const AWS_GATEWAYS: readonly AwsGateway[] = [
  {
    title: 'a function URL',
    folder: '',
    eventOf: (request, body) => eventOfFormat2(request, body, '$default'),
    send: sendDecoded,
  },
  {
    title: 'an HTTP API with a stage in its paths',
    folder: '/prod',
    eventOf: (request, body) => eventOfFormat2(request, body, 'prod'),
    send: sendDecoded,
  },
  {
    title: 'a REST API',
    folder: '/prod',
    eventOf: eventOfRest,
    // Without binary types, it passes on the text as it is.
    send: ({ statusCode, headers, body }, response) => response.writeHead(statusCode, { ...headers }).end(body),
  },
  {
    title: 'a load balancer',
    folder: '',
    eventOf: (request, body) => eventOfBalancer(request, body, false),
    send: sendDecoded,
  },
  {
    title: 'a load balancer with lists of values',
    folder: '',
    eventOf: (request, body) => eventOfBalancer(request, body, true),
    send: ({ multiValueHeaders = {}, ...result }, response) =>
      sendDecoded({ ...result, headers: joined(multiValueHeaders) as Record<string, string> }, response),
  },
];
