/** Events of AWS Lambda that are no requests of HTTP that a server takes: an answer, and no failed invocation. */
import { createServer } from '@sigil-mcp/core';
import { createLambdaHandler } from '@sigil-mcp/http/lambda';
import type { FunctionEvent } from '../src/lambda/function-event';

const handle = createLambdaHandler(createServer({ name: 's', version: '1', logger: false }));

const eventWith = ({ method = 'POST', ...more }: Partial<FunctionEvent> & { method?: string }): FunctionEvent => ({
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
])('%s is answered with 400', async (_what, more) => {
  const { statusCode, body, headers } = await handle(eventWith(more));
  expect([statusCode, headers['content-type']]).toEqual([400, expect.stringContaining('application/json')]);
  expect(JSON.parse(Buffer.from(body, 'base64').toString())).toMatchObject({
    error: { code: -32600, message: 'The method, the host, a header or the path of the request is not valid.' },
  });
});

it('a path with dots that mean nothing is as any other', async () => {
  expect(await handle(eventWith({ rawPath: '/a..b/.well-known' }))).toMatchObject({ statusCode: 404 });
});
