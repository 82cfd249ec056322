/** The platforms that run on Node: each calls the handler as its documentation says. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import { createFetchHandler } from '@sigil-mcp/http/fetch';
import { createLambdaHandler, createStreamingLambdaHandler } from '@sigil-mcp/http/lambda';
import { createNodeHandler } from '@sigil-mcp/http/node';
import express from 'express';
import { Hono } from 'hono';
import { AWS_GATEWAYS, type AwsGateway } from './aws-gateways';
import { sumsServer } from './fixtures/sums';
import { describePlatform, type OpenPlatform } from './platform-specs';

/** Listens on a free port of loopback. */
async function listen(listener: RequestListener, handler: { close?(): Promise<void> }): Promise<OpenPlatform> {
  const http = createServer(listener).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const { port } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    await handler.close?.();
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  };
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}

/** A request as Node has it -> a response of a function with a `Request`, as platforms on Node do it. */
const webListener = (handle: (request: Request) => Promise<Response> | Response): RequestListener => {
  const listener = getRequestListener(handle, { overrideGlobalObjects: false });
  return (request, response) => void listener(request, response);
};

describe('Hono', () =>
  describePlatform(() => {
    const handle = createFetchHandler(sumsServer(), { isLoopback: true });
    const app = new Hono();
    app.get('/', (context) => context.text('This app has other routes, too.'));
    app.all('*', (context) => handle(context.req.raw));
    return listen(
      webListener((request) => app.fetch(request)),
      handle,
    );
  }));

describe('Express 5', () =>
  describePlatform(() => {
    const handle = createNodeHandler(sumsServer());
    const app = express();
    app.use(handle);
    return listen(app, handle);
  }));

describe('a route handler of Next.js', () =>
  describePlatform(() => {
    const handle = createFetchHandler(sumsServer());
    type Route = (request: Request, context: { readonly params: Promise<object> }) => Promise<Response>;
    // Next finds the exports of a route by the names of methods, and answers all other methods itself.
    const route: Readonly<Record<string, Route>> = { GET: handle, POST: handle, DELETE: handle };
    const call = (request: Request): Promise<Response> | Response =>
      route[request.method]?.(request, { params: Promise.resolve({}) }) ?? new Response(null, { status: 405 });
    return listen(webListener(call), handle);
  }));

describe('a function of Vercel', () =>
  describePlatform(() => {
    const module = { default: { fetch: createFetchHandler(sumsServer()) } };
    return listen(
      webListener((request) => module.default.fetch(request)),
      module.default.fetch,
    );
  }));

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

describe.each(AWS_GATEWAYS)('a function of AWS Lambda behind $title', ({ folder, eventOf, send }) =>
  describePlatform(
    async () => {
      const handle = createLambdaHandler(sumsServer());
      const listener: RequestListener = (request, response) => {
        void bodyOf(request).then(async (body) => send(await handle(eventOf(request, body)), response));
      };
      const { url, close } = await listen(listener, {});
      return { url: url.replace('/mcp', `${folder}/mcp`), close };
    },
    { hasSessions: false, streams: false, folder },
  ),
);

/** As the runtime of Lambda for Node has them: a head that is sent with the first bytes, and a wrapper that changes nothing here. */
const awslambda = {
  streamifyResponse: (handler: unknown) => handler,
  HttpResponseStream: {
    from(stream: HeadStream, head: { statusCode: number; headers: Record<string, string> }): Writable {
      stream.begin(head.statusCode, head.headers);
      return stream;
    },
  },
};

class HeadStream extends Writable {
  constructor(private readonly response: Parameters<RequestListener>[1]) {
    super();
    response.once('close', () => this.destroy());
  }

  begin(status: number, headers: Record<string, string>): void {
    this.response.writeHead(status, headers).flushHeaders();
  }

  override _write(piece: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.response.write(piece, done);
  }

  override _final(done: () => void): void {
    this.response.end(done);
  }
}

describe('a function of AWS Lambda that streams', () => {
  beforeAll(() => void Object.assign(globalThis, { awslambda }));
  afterAll(() => void Reflect.deleteProperty(globalThis, 'awslambda'));

  const [functionUrl] = AWS_GATEWAYS as [AwsGateway, ...AwsGateway[]];

  describePlatform(() => {
    type Streaming = (event: unknown, stream: Writable) => Promise<void>;
    // What Lambda makes of a handler is its own business; here it is the handler.
    const handle = createStreamingLambdaHandler(sumsServer()) as unknown as Streaming;
    return listen((request, response) => {
      void bodyOf(request).then((body) => handle(functionUrl.eventOf(request, body), new HeadStream(response)));
    }, {});
  });
});

it('a function that streams says where it can run', () => {
  expect(() => createStreamingLambdaHandler(sumsServer())).toThrow('outside of AWS Lambda');
});
