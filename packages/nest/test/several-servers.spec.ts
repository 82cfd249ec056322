/** Several servers in one application: each serves the providers of the modules that import it, and the classes that it names. */
import { Injectable, Module, type CanActivate, type DynamicModule, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Feature, Server, tool, Tool } from '@sigil-mcp/core';
import { SigilModule, type SigilModuleOptions } from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import type { AddressInfo } from 'node:net';
import { PLATFORMS, type Platform } from './support/open-application';

@Feature()
class Open {
  @Tool('For all') hello(): string {
    return 'hello';
  }
}
@Feature()
class Admin {
  @Tool('For staff') wipe(): string {
    return 'wiped';
  }
}
@Injectable()
class Staff implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

const server = (name: string, options: Partial<SigilModuleOptions> = {}): DynamicModule =>
  SigilModule.forRoot({ name, version: '1.0.0', logger: false, path: `/${name}`, ...options });

function module(metadata: Parameters<typeof Module>[0], name: string): Type {
  const made = { [name]: class {} }[name] as Type;
  Module(metadata)(made);
  return made;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(
  imports: NonNullable<Parameters<typeof Module>[0]['imports']>,
  { platform = 'express', providers = [] }: { readonly platform?: Platform; readonly providers?: Type[] } = {},
): Promise<string> {
  const root = module({ imports, providers }, 'AppModule');
  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create(root, adapter, { logger: false, abortOnError: false });
  closing.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  return `http://127.0.0.1:${port}`;
}

async function toolsAt(url: string): Promise<string[]> {
  const client = await connect(url);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name).sort();
}

describe.each(PLATFORMS)('on %s', (platform) => {
  it('each serves the tools of the modules that import it alone', async () => {
    const base = await open(
      [
        module({ imports: [server('public')], providers: [Open] }, 'OpenModule'),
        module({ imports: [server('admin', { endpointGuards: [Staff] })], providers: [Admin] }, 'AdminModule'),
      ],
      { platform },
    );
    expect(await toolsAt(`${base}/public`)).toEqual(['hello']);
    await expect((await connect(`${base}/public`)).callTool('wipe')).rejects.toThrow(/Unknown tool/);
    expect((await fetch(`${base}/admin`, { method: 'POST', body: '{}' })).status).toBe(403);
  });
});

it('is one server for modules that import the same one', async () => {
  const shared = server('public');
  const base = await open([
    module({ imports: [shared], providers: [Open] }, 'OpenModule'),
    module({ imports: [shared], providers: [Admin] }, 'OtherModule'),
  ]);
  expect(await toolsAt(`${base}/public`)).toEqual(['hello', 'wipe']);
});

it('serves the classes that it names, wherever they are provided, and functions', async () => {
  const echo = tool('echo', { description: 'Echoes' }, () => 'echo');
  const base = await open([
    module({ providers: [Open, Admin] }, 'Features'),
    server('public', { features: [Open, echo] }),
    server('admin', { features: [Open, Admin] }),
  ]);
  expect(await toolsAt(`${base}/public`)).toEqual(['echo', 'hello']);
  expect(await toolsAt(`${base}/admin`)).toEqual(['hello', 'wipe']);
});

it('serves features of forFeature to the server of the module that imports them, and options made later', async () => {
  const later = SigilModule.forRootAsync({
    useFactory: () => ({ name: 'admin', version: '1.0.0', logger: false, path: '/admin' }),
  });
  const base = await open([
    module({ imports: [server('public'), SigilModule.forFeature([Open])] }, 'OpenModule'),
    module({ imports: [later, SigilModule.forFeature([Admin])] }, 'AdminModule'),
  ]);
  expect(await toolsAt(`${base}/public`)).toEqual(['hello']);
  expect(await toolsAt(`${base}/admin`)).toEqual(['wipe']);
});

it('is injected where its module is imported', async () => {
  const names: string[] = [];
  class Asking {
    constructor(own: Server) {
      names.push(own.describe().server.name);
    }
  }
  Injectable()(Asking);
  Reflect.defineMetadata('design:paramtypes', [Server], Asking);
  await open([
    module({ imports: [server('public')], providers: [Open, Asking] }, 'OpenModule'),
    module({ imports: [server('admin')], providers: [Admin, Asking] }, 'AdminModule'),
  ]);
  expect(names.sort()).toEqual(['admin', 'public']);
});

it('is injected into features of forFeature of the module that imports it', async () => {
  const names: string[] = [];
  class Asking {
    constructor(own: Server) {
      names.push(own.describe().server.name);
    }
  }
  Injectable()(Asking);
  Reflect.defineMetadata('design:paramtypes', [Server], Asking);
  await open([
    module({ imports: [server('public'), SigilModule.forFeature([Open], { providers: [Asking] })] }, 'OpenModule'),
    module({ imports: [server('admin'), SigilModule.forFeature([Admin], { providers: [Asking] })] }, 'AdminModule'),
  ]);
  expect(names.sort()).toEqual(['admin', 'public']);
});

it('serves a class that several modules provide once', async () => {
  const admin = server('admin');
  const base = await open([
    module({ imports: [server('public')], providers: [Open] }, 'OpenModule'),
    module({ imports: [admin], providers: [Admin] }, 'AdminModule'),
    module({ imports: [admin], providers: [Admin] }, 'OtherModule'),
  ]);
  expect(await toolsAt(`${base}/admin`)).toEqual(['wipe']);
});

it('is alone in an application with one server, wherever that is imported', async () => {
  const base = await open([
    module({ imports: [server('public')] }, 'ServerModule'),
    module({ providers: [Open] }, 'OpenModule'),
    module({ providers: [Admin] }, 'AdminModule'),
  ]);
  expect(await toolsAt(`${base}/public`)).toEqual(['hello', 'wipe']);
});

describe('the start is stopped', () => {
  it('by a tool that two servers would serve', async () => {
    const opened = open([server('public'), server('admin')], { providers: [Open] });
    await expect(opened).rejects.toThrow(
      /Open, a provider of AppModule, would be served by "public" and "admin"\..*imports one of the servers alone/s,
    );
  });

  it('by a tool that one server finds and another one names', async () => {
    const opened = open([
      module({ imports: [server('public')], providers: [Open] }, 'OpenModule'),
      module({ imports: [server('admin', { features: [Open] })], providers: [Admin] }, 'AdminModule'),
    ]);
    await expect(opened).rejects.toThrow(/Open, a provider of OpenModule, would be served by "public" and "admin"/);
  });

  it('by a tool that no server would serve', async () => {
    const opened = open([
      server('public'),
      module({ imports: [server('admin')], providers: [Admin] }, 'AdminModule'),
      module({ providers: [Open] }, 'LostModule'),
    ]);
    await expect(opened).rejects.toThrow(
      /Open, a provider of LostModule, is served by none of the servers "public" and "admin"\..*`imports`/s,
    );
  });

  it.each([
    ['/mcp', '/mcp'],
    ['/mcp', '/mcp/'],
  ])('by two servers with the paths %s and %s', async (one, other) => {
    const opened = open([
      module({ imports: [server('public', { path: one })], providers: [Open] }, 'OpenModule'),
      module({ imports: [server('admin', { path: other })], providers: [Admin] }, 'AdminModule'),
    ]);
    await expect(opened).rejects.toThrow(/The servers "public" and "admin" have the same path \/mcp/);
  });

  it('by two servers on stdin and stdout', async () => {
    const options = { stdio: true, http: false } as const;
    const opened = open([
      module({ imports: [server('public', options)], providers: [Open] }, 'OpenModule'),
      module({ imports: [server('admin', options)], providers: [Admin] }, 'AdminModule'),
    ]);
    await expect(opened).rejects.toThrow(/have the same stdin and stdout/);
  });
});
