/** The endpoint in applications that listen on a port, on both platforms, with the official client. */
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Scope,
  VersioningType,
  type NestMiddleware,
  type MiddlewareConsumer,
  type OnModuleDestroy,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { Feature, McpContext, Tool, Caller, type Auth } from '@sigil-mcp/core';
import type { McpRequest } from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { IsString } from 'class-validator';
import { once } from 'node:events';
import { request } from 'node:http';
import { openApplication, PLATFORMS } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

class Text {
  @IsString() text!: string;
}

@Injectable({ scope: Scope.REQUEST })
class Seen {
  constructor(@Inject(REQUEST) readonly request: McpRequest) {}
}

const events: string[] = [];
let entered: (() => void) | undefined;

@Feature()
class Tools {
  @Tool('Measures') measure({ text }: Text): string {
    return String(text.length);
  }
  @Tool('Steps') async steps(context: McpContext): Promise<string> {
    await context.progress(1, 2);
    await context.progress(2, 2);
    return 'done';
  }
  @Tool('Waits') async wait(context: McpContext): Promise<string> {
    entered?.();
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    events.push('aborted');
    return 'over';
  }
  @Tool('Slow') async slow(): Promise<string> {
    entered?.();
    await new Promise((resolve) => setImmediate(resolve));
    events.push('drained');
    return 'drained';
  }
}
@Feature()
class Requests {
  constructor(private readonly seen: Seen) {}
  @Tool('Tells') tell(): string {
    const { headers, method, ip, user } = this.seen.request as McpRequest & {
      readonly method: string;
      readonly ip: string;
    };
    return JSON.stringify({ tenant: headers['x-tenant'], method, ip, user: (user as Caller | undefined)?.id });
  }
}
@Controller('cats')
class Cats {
  @Get(':id') find(): string {
    return 'a cat';
  }
}
@Controller()
class Everything {
  @Get('*') any(): string {
    return 'anything';
  }
}

const metadata = { providers: [Tools, Requests, Seen], controllers: [Cats, Everything] };
const MODES: readonly VersionNegotiationMode[] = ['legacy', { pin: '2026-07-28' }];

async function official(url: string, mode: VersionNegotiationMode): Promise<Client> {
  const client = new Client({ name: 'official', version: '2' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

describe.each(PLATFORMS)('on %s', (platform) => {
  eachRevision('answers beside the routes of the application', async ({ connect: meet }) => {
    const { url, base } = await openApplication(platform, metadata);
    const client = await meet(url, { headers: { 'x-tenant': 'acme' } });
    expect(await client.callTool('measure', { text: 'four' })).toHaveText('4');
    const told = JSON.parse(String((await client.callTool('tell')).content[0]?.text)) as unknown;
    expect(told).toEqual({ tenant: 'acme', method: 'POST', ip: '127.0.0.1' });
    expect(await (await fetch(`${base}/cats/1`)).text()).toBe('a cat');
    expect(await (await fetch(`${base}/healthz`)).text()).toBe('anything');
  });

  it.each(MODES)('streams progress to the official client (%j)', async (mode) => {
    const { url } = await openApplication(platform, metadata, {}, (app) => app.enableCors());
    const client = await official(url, mode);
    const steps: number[] = [];
    const result = await client.callTool(
      { name: 'steps', arguments: {} },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    expect(result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(steps).toEqual([1, 2]);
    await client.close();
  });

  it('takes bodies that the parsers of Nest would refuse, and answers as MCP where CORS of Nest is on', async () => {
    const { url, base } = await openApplication(platform, metadata, {}, (app) => app.enableCors());
    const client = await connect(url);
    expect(await client.callTool('measure', { text: 'x'.repeat(2_000_000) })).toHaveText('2000000');
    const refused = await fetch(url, { method: 'POST', headers: { origin: 'https://evil.example' }, body: '{}' });
    expect(refused.status).toBe(403);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    expect(
      (await fetch(`${base}/cats/1`, { headers: { origin: 'https://evil.example' } })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBe('*');
  });

  it('refuses other Host headers, because it listens on this machine only', async () => {
    const { url } = await openApplication(platform, metadata);
    const { port } = new URL(url);
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method: 'POST',
      headers: { host: 'evil.example' },
    }).end('{}');
    const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(421);
  });

  it('aborts a call whose client is gone', async () => {
    const { url } = await openApplication(platform, metadata);
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const client = await official(url, { pin: '2026-07-28' });
    const stop = new AbortController();
    const call = client.callTool({ name: 'wait', arguments: {} }, { signal: stop.signal }).catch(String);
    await inside;
    stop.abort();
    await call;
    while (!events.includes('aborted')) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
  });

  it('honours the global prefix, unless told otherwise, and is of no version', async () => {
    const prepare = (app: Parameters<NonNullable<Parameters<typeof openApplication>[3]>>[0]): void => {
      app.setGlobalPrefix('api');
      app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
    };
    const behind = await openApplication(platform, metadata, {}, prepare);
    expect(await (await connect(`${behind.base}/api/mcp`)).callTool('measure', { text: '' })).toHaveText('0');
    expect(await (await fetch(`${behind.base}/api/v1/cats/1`)).text()).toBe('a cat');
    const own = await openApplication(platform, metadata, { globalPrefix: false, path: '/tools' }, prepare);
    expect(await (await connect(`${own.base}/tools`)).callTool('measure', { text: '' })).toHaveText('0');
    const excluded = await openApplication(
      platform,
      metadata,
      {},
      (app) => void app.setGlobalPrefix('api', { exclude: ['mcp'] }),
    );
    expect(await (await connect(excluded.url)).callTool('measure', { text: '' })).toHaveText('0');
    const root = await openApplication(platform, metadata, {}, (app) => void app.setGlobalPrefix('/'));
    expect(await (await connect(root.url)).callTool('measure', { text: '' })).toHaveText('0');
  });

  it('publishes the documents of OAuth at the root, for the path behind the prefix', async () => {
    const auth: Auth = {
      resource: 'https://zoo.example/api/mcp',
      authorizationServers: ['https://issuer.example'],
      verify: (token) => (token === 'good' ? new Caller({ id: 'ada' }) : undefined),
    };
    const { base } = await openApplication(
      platform,
      metadata,
      { http: { auth } },
      (app) => void app.setGlobalPrefix('api'),
    );
    const refused = await fetch(`${base}/api/mcp`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect(refused.status).toBe(401);
    const document = await fetch(`${base}/.well-known/oauth-protected-resource/api/mcp`);
    expect(await document.json()).toMatchObject({ resource: 'https://zoo.example/api/mcp' });
    const client = await connect(`${base}/api/mcp`, { headers: { authorization: 'Bearer good' } });
    expect(JSON.parse(String((await client.callTool('tell')).content[0]?.text))).toMatchObject({ user: 'ada' });
  });

  it('answers what has come when the application closes, before its providers end', async () => {
    events.length = 0;
    @Injectable()
    class Database implements OnModuleDestroy {
      onModuleDestroy(): void {
        events.push('asked to end');
      }
      onApplicationShutdown(): void {
        events.push('disconnected');
      }
    }
    const { url, app } = await openApplication(platform, { ...metadata, providers: [...metadata.providers, Database] });
    const client = await connect(url);
    const inside = new Promise<void>((resolve) => (entered = resolve));
    const call = client.callTool('slow');
    await inside;
    await app.close();
    expect(await call).toHaveText('drained');
    expect(events.indexOf('drained')).toBeLessThan(events.indexOf('disconnected'));
    await expect(fetch(url, { method: 'POST' })).rejects.toThrow();
  });
});

it('runs before the middleware of modules', async () => {
  const seen: string[] = [];
  class Logging implements NestMiddleware {
    use({ originalUrl }: { readonly originalUrl: string }, _: unknown, next: () => void): void {
      seen.push(originalUrl);
      next();
    }
  }
  class WithMiddleware {
    configure(consumer: MiddlewareConsumer): void {
      consumer.apply(Logging).forRoutes('*path');
    }
  }
  const { url, base } = await openApplication('express', { ...metadata, imports: [WithMiddleware] });
  await (await connect(url)).callTool('measure', { text: '' });
  await fetch(`${base}/cats/1`);
  expect(seen).toEqual(['/cats/1']);
});
