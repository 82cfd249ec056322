/** Events of AWS Lambda in every form, and those that are no requests that a server takes: an answer, and no failed invocation. */
import { createServer, type Logger } from '@sigil-mcp/core';
import { createLambdaHandler } from '@sigil-mcp/http/lambda';
import fc from 'fast-check';
import { readEvent } from '../src/lambda/function-event';

interface Logged {
  readonly fields: object;
  readonly message: string;
}

const logged: Logged[] = [];
const nothing = (): void => undefined;
const logger: Logger = {
  debug: nothing,
  info: nothing,
  warn: (fields, message) => void logged.push({ fields, message }),
  error: (fields, message) => void logged.push({ fields, message }),
};
const handle = createLambdaHandler(createServer({ name: 's', version: '1', logger }));
beforeEach(() => void logged.splice(0));

const eventWith = ({ method = 'POST', ...more }: { method?: string; headers?: object; rawPath?: string }): object => ({
  rawPath: '/mcp',
  headers: { host: 'mcp.example.com', 'content-type': 'application/json' },
  body: '{}',
  requestContext: { http: { method } },
  ...more,
});

it.each([
  ['the method TRACE', { method: 'TRACE' }],
  ['the method CONNECT', { method: 'CONNECT' }],
  ['a method with a space', { method: 'PO ST' }],
  ['a header beyond Latin-1', { headers: { host: 'a.example', 'x-name': '天気' } }],
  ['a header with a line break', { headers: { host: 'a.example', 'x-name': 'a\r\nb: c' } }],
  ['a host with a password', { headers: { host: 'a:b@c.example' } }],
  ['a host with a space', { headers: { host: 'a b' } }],
  ['a path that leads elsewhere', { rawPath: '/public/../mcp' }],
  ['a path that leads elsewhere in another writing', { rawPath: '/public/%2e%2E/mcp' }],
  ['a path that ends with dots', { rawPath: '/mcp/..' }],
  ['a path that leads elsewhere by backslashes', { rawPath: '/public\\..\\mcp' }],
  ['a path that leads elsewhere without its tab', { rawPath: '/public/.\t./mcp' }],
  ['a path that goes on in the host', { rawPath: '.example.com/mcp' }],
  ['a path with a question mark', { rawPath: '/mcp?a' }],
  ['a host that goes on in the path', { headers: { host: 'a.example/mcp?' } }],
])('%s is answered with 400', async (_what, more) => {
  const { statusCode, body, headers } = await handle(eventWith(more));
  expect([statusCode, headers['content-type']]).toEqual([400, expect.stringContaining('application/json')]);
  expect(JSON.parse(body)).toMatchObject({
    error: { code: -32600, message: 'The method, the host, a header or the path of the request is not valid.' },
  });
});

it('a path with dots that mean nothing is as any other', async () => {
  expect(await handle(eventWith({ rawPath: '/a..b/.well-known' }))).toMatchObject({ statusCode: 404 });
});

const SQS = { Records: [{ messageId: '1', body: '{}', eventSource: 'aws:sqs', awsRegion: 'us-east-1' }] };
const SOCKET = { requestContext: { eventType: 'CONNECT', stage: 'prod', connectionId: 'a=' }, isBase64Encoded: false };

it.each<[string, unknown, string[]]>([
  ['of a queue', SQS, ['Records']],
  ['of a schedule', { source: 'aws.events', 'detail-type': 'Scheduled Event' }, ['source', 'detail-type']],
  ['that the console proposes as a test', { key1: 'value1', key2: 'value2' }, ['key1', 'key2']],
  ['of a WebSocket API', SOCKET, ['requestContext', 'isBase64Encoded']],
  ['without members', {}, []],
  ['that is null', null, []],
  ['that is a text', 'ping', []],
])('an event %s is answered with 400, and the log has one sentence', async (_what, event, members) => {
  const { statusCode, body } = await handle(event);
  expect([statusCode, JSON.parse(body)]).toMatchObject([400, { error: { code: -32600 } }]);
  expect(logged).toEqual([
    {
      fields: { members },
      message:
        'An event that is no HTTP request was answered with 400: connect the function to a function URL, to an API of API Gateway or to a load balancer.',
    },
  ]);
});

/** Path, host, query and address of what is read. */
const read = (event: object): readonly unknown[] => {
  const { request, address } = readEvent(event, '/mcp') ?? {};
  const { host, pathname, search } = new URL(request?.url ?? 'about:blank');
  return [host, pathname, search, address];
};
const ownHost = { domainName: 'id.execute-api.eu-north-1.amazonaws.com' };
const elb = { requestContext: { elb: { targetGroupArn: 'arn' } }, httpMethod: 'GET', path: '/mcp' };

it.each<[string, object, readonly unknown[]]>([
  [
    'a function URL',
    {
      rawPath: '/mcp',
      requestContext: { http: { method: 'GET', path: '/mcp', sourceIp: '1.2.3.4' }, stage: '$default' },
    },
    ['lambda', '/mcp', '', '1.2.3.4'],
  ],
  [
    'an HTTP API with a stage',
    {
      rawPath: '/prod/mcp',
      rawQueryString: 'a=1&a=%202',
      headers: { host: 'a.example' },
      requestContext: { http: { method: 'GET', path: '/prod/mcp' }, stage: 'prod' },
    },
    ['a.example', '/mcp', '?a=1&a=%202', undefined],
  ],
  [
    'the root of a stage',
    { rawPath: '/prod', requestContext: { http: { method: 'GET', path: '/prod' }, stage: 'prod', ...ownHost } },
    ['id.execute-api.eu-north-1.amazonaws.com', '/', '', undefined],
  ],
  [
    'an HTTP API whose stage is called as the path',
    { rawPath: '/mcp/mcp', requestContext: { http: { method: 'GET', path: '/mcp/mcp' }, stage: 'mcp', ...ownHost } },
    ['id.execute-api.eu-north-1.amazonaws.com', '/mcp', '', undefined],
  ],
  [
    'an HTTP API behind a domain, whose path is called as the stage that is not in it',
    {
      rawPath: '/mcp',
      requestContext: { http: { method: 'GET', path: '/mcp' }, stage: 'mcp', domainName: 'e.example' },
    },
    ['e.example', '/mcp', '', undefined],
  ],
  [
    'an HTTP API behind a domain that keeps the stage in the path',
    {
      rawPath: '/prod/mcp',
      requestContext: { http: { method: 'GET', path: '/prod/mcp' }, stage: 'prod', domainName: 'e.example' },
    },
    ['e.example', '/mcp', '', undefined],
  ],
  [
    'an HTTP API behind a domain with a base path, which stays',
    {
      rawPath: '/notes/mcp',
      requestContext: { http: { method: 'GET', path: '/notes/mcp' }, stage: 'prod', domainName: 'e.example' },
    },
    ['e.example', '/notes/mcp', '', undefined],
  ],
  [
    'an HTTP API without a stage in the path, whose stage is the default one',
    { rawPath: '/mcp', requestContext: { http: { method: 'GET', path: '/mcp' }, stage: '$default', ...ownHost } },
    ['id.execute-api.eu-north-1.amazonaws.com', '/mcp', '', undefined],
  ],
  [
    'an HTTP API with events of format 1.0 and a stage',
    {
      version: '1.0',
      path: '/prod/mcp',
      httpMethod: 'GET',
      requestContext: { path: '/prod/mcp', stage: 'prod', ...ownHost },
    },
    ['id.execute-api.eu-north-1.amazonaws.com', '/mcp', '', undefined],
  ],
  [
    'a path that begins like the stage',
    { rawPath: '/production/mcp', requestContext: { http: { method: 'GET' }, stage: 'prod' } },
    ['lambda', '/production/mcp', '', undefined],
  ],
  [
    'a REST API, which has taken the stage off, although the path is called as the stage',
    {
      path: '/mcp',
      httpMethod: 'GET',
      headers: null,
      multiValueHeaders: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: { a: ['1', '&2'] },
      body: null,
      requestContext: { path: '/mcp/mcp', stage: 'mcp', domainName: 'b.example', identity: { sourceIp: '1.2.3.4' } },
    },
    ['b.example', '/mcp', '?a=1&a=%262', '1.2.3.4'],
  ],
  [
    'a REST API behind a domain whose mapping names no stage',
    { path: '/prod/mcp', httpMethod: 'GET', requestContext: { path: '/prod/mcp', stage: 'prod' } },
    ['lambda', '/mcp', '', undefined],
  ],
  [
    'a REST API behind a domain whose path is called as the stage',
    {
      path: '/mcp',
      httpMethod: 'GET',
      requestContext: { path: '/mcp', stage: 'mcp', domainName: 'e.example' },
    },
    ['e.example', '/mcp', '', undefined],
  ],
  [
    'a REST API behind a domain with a base path, which stays',
    {
      path: '/notes/mcp',
      httpMethod: 'GET',
      requestContext: { path: '/notes/mcp', stage: 'prod', domainName: 'e.example' },
    },
    ['e.example', '/notes/mcp', '', undefined],
  ],
  [
    'a load balancer',
    {
      ...elb,
      headers: { host: 'c.example', 'x-forwarded-for': '6.6.6.6, 1.2.3.4' },
      queryStringParameters: { a: '%202' },
    },
    ['c.example', '/mcp', '?a=%202', '1.2.3.4'],
  ],
  [
    'a load balancer with lists of values',
    { ...elb, multiValueHeaders: { host: ['d.example'] }, multiValueQueryStringParameters: { a: ['1', '%26'] } },
    ['d.example', '/mcp', '?a=1&a=%26', undefined],
  ],
])('%s names its host, its path, its query and its client', (_what, event, expected) => {
  expect(read(event)).toEqual(expected);
});

it.each<[string, string, string, object, string]>([
  ['the stage itself, behind a domain that keeps it', '/', '/prod', { domainName: 'e.example' }, '/'],
  ['the stage itself, on a development host', '/', '/prod', { domainName: 'localhost:3000' }, '/'],
  ['the stage itself, without a domain', '/', '/prod', {}, '/'],
  ['the stage with a slash', '/', '/prod/', { domainName: 'e.example' }, '/'],
  ['the stage of another endpoint', '/mcp', '/prod', { domainName: 'e.example' }, '/'],
  ['an endpoint that is called as the stage', '/prod', '/prod', { domainName: 'e.example' }, '/prod'],
  ['an endpoint that begins as the stage', '/prod/mcp', '/prod/mcp', { domainName: 'e.example' }, '/prod/mcp'],
])('a path that is %s is told by the path of the endpoint: %s', (_what, endpoint, path, domain, expected) => {
  const context = { stage: 'prod', ...domain };
  const format2 = { rawPath: path, requestContext: { http: { method: 'POST', path }, ...context } };
  const format1 = { path, httpMethod: 'POST', requestContext: { path, ...context } };
  const read = [format2, format1].map((event) => new URL(readEvent(event, endpoint)?.request?.url ?? 'about:blank'));
  expect(read.map(({ pathname }) => pathname)).toEqual([expected, expected]);
});

it('a handler with the path / answers under the stage', async () => {
  const atRoot = createLambdaHandler(createServer({ name: 's', version: '1', logger }), { path: '/' });
  const requestContext = { http: { method: 'POST', path: '/prod' }, stage: 'prod', domainName: 'mcp.example.com' };
  // The body is no message, which only the endpoint finds.
  expect(await atRoot({ ...eventWith({ rawPath: '/prod' }), requestContext })).toMatchObject({ statusCode: 400 });
});

it('headers may come several times, and cookies apart, or twice', () => {
  const rest = { path: '/mcp', httpMethod: 'POST', multiValueHeaders: { 'X-A': ['1', '2'] }, requestContext: {} };
  expect(readEvent(rest, '/mcp')?.request?.headers.get('x-a')).toBe('1, 2');
  const headers = { cookie: 'a=1; b=2' };
  const two = { rawPath: '/mcp', headers, cookies: ['a=1', 'b=2'], requestContext: { http: { method: 'POST' } } };
  expect(readEvent(two, '/mcp')?.request?.headers.get('cookie')).toBe('a=1; b=2');
});

it.each([
  [undefined, false, ''],
  [null, false, ''],
  ['', true, ''],
  ['', false, ''],
  ['{"a":"é"}', false, '{"a":"é"}'],
  [Buffer.from('{"a":"é"}').toString('base64'), true, '{"a":"é"}'],
])('the body %j, encoded: %s, is %j', async (body, isBase64Encoded, text) => {
  const event = { ...eventWith({}), body, isBase64Encoded };
  expect(await readEvent(event, '/mcp')?.request?.text()).toBe(text);
  expect((await handle(event)).statusCode).toBe(400);
});

it.each(['GET', 'HEAD', 'OPTIONS', 'DELETE'])(
  '%s without a body is read, whatever stands in its place',
  async (method) => {
    for (const body of [undefined, null, '']) {
      const event = { ...eventWith({ method }), body, isBase64Encoded: false };
      expect(await readEvent(event, '/mcp')?.request?.text()).toBe('');
      const { statusCode, isBase64Encoded } = await handle(event);
      expect([statusCode >= 200 && statusCode < 500, isBase64Encoded]).toEqual([true, false]);
    }
  },
);

it('bytes that are no text arrive as they are', async () => {
  const bytes = Buffer.from([0, 0xff, 0xfe, 0x80]);
  const event = { ...eventWith({}), body: bytes.toString('base64'), isBase64Encoded: true };
  expect(Buffer.from((await readEvent(event, '/mcp')?.request?.arrayBuffer()) ?? new ArrayBuffer(0))).toEqual(bytes);
});

it('any event is answered, in the form that gateways take', async () => {
  const word = fc.constantFrom('', '/mcp', 'GET', 'POST', 'prod', '$default', 'a.example', '%', '\n', '{', 'é');
  const value = fc.oneof(word, fc.string(), fc.constantFrom<unknown>(null, undefined, true, 0, Number.NaN));
  const bag = fc.dictionary(fc.oneof(word, fc.string()), fc.oneof(value, fc.array(value)));
  const any = fc.oneof(value, bag, fc.array(value));
  const http = fc.oneof(any, fc.record({ method: value, path: value, sourceIp: value }, { requiredKeys: [] }));
  const elb = fc.oneof(any, fc.record({ targetGroupArn: value }));
  const context = fc.record({ http, elb, stage: any, path: any, identity: any, domainName: any }, { requiredKeys: [] });
  const names = ['headers', 'multiValueHeaders', 'queryStringParameters', 'multiValueQueryStringParameters', 'cookies'];
  const event = fc.record(
    {
      requestContext: fc.oneof(any, context),
      ...{ rawPath: any, path: any, httpMethod: any, rawQueryString: any, body: any, isBase64Encoded: any },
      ...Object.fromEntries(names.map((name) => [name, any])),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(any, event), async (strange) => {
      const { statusCode, headers, multiValueHeaders = {}, body, isBase64Encoded } = await handle(strange);
      expect([statusCode >= 200 && statusCode < 500, isBase64Encoded, typeof body]).toEqual([true, false, 'string']);
      expect(Object.values(headers).every((one) => typeof one === 'string')).toBe(true);
      expect(Object.values(multiValueHeaders).every(Array.isArray)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
