/** Guards of Nest in front of the endpoint: who is let in, as whom, and what the others are told. */
import {
  Global,
  HttpException,
  Injectable,
  Module,
  Scope,
  SetMetadata,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Caller, McpContext, Public, Roles, Scopes, Tool, UseGuards as UseSigilGuards } from '@sigil-mcp/core';
import { McpExecutionContext, SigilModule } from '@sigil-mcp/nest';
import { connect } from '@sigil-mcp/testing';
import '@sigil-mcp/testing/matchers';
import { of, type Observable } from 'rxjs';
import { callerOfUser } from '../src/endpoint-guards';
import { openApplication, openModule, PLATFORMS } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

interface WithUser {
  headers: Record<string, string | undefined>;
  user?: object;
}

const USERS: Record<string, object> = {
  ada: { sub: 'ada', roles: ['keeper'], scope: 'zoo:read zoo:write' },
  bob: { id: 7, scopes: ['zoo:read'] },
};

@Injectable()
class Keys {
  find(key: string | undefined): object | undefined {
    return key === undefined ? undefined : USERS[key];
  }
}

@Injectable()
class KeyGuard implements CanActivate {
  constructor(private readonly keys: Keys) {}

  canActivate(context: ExecutionContext): boolean {
    const request = McpExecutionContext.requestOf<WithUser>(context);
    const key = request.headers['x-key'];
    if (key === 'busy') throw new HttpException('Too many', 429);
    if (key === 'broken') throw new TypeError('secret detail');
    if (key === undefined) throw new UnauthorizedException('No key');
    const user = this.keys.find(key);
    if (user) request.user = user;
    return user !== undefined || key === 'nobody';
  }
}

@Injectable()
class Zoo {
  @Tool('For everybody') @Public() open(caller: Caller): string {
    return caller.id;
  }
  @Tool('For callers') who(caller: Caller, context: McpContext): string {
    return `${caller.id} ${caller.kind} ${String(context.headers['authorization'])}`;
  }
  @Tool('For writers') @Scopes('zoo:write') write(): string {
    return 'written';
  }
  @Tool('For keepers') @UseSigilGuards(Roles('keeper')) feed(): string {
    return 'fed';
  }
}

@Module({ providers: [Keys], exports: [Keys] })
class KeysModule {}

const zoo = { imports: [KeysModule], providers: [Zoo, KeyGuard, Keys] };
const guarded = { endpointGuards: [KeyGuard] };

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const INITIALIZE = {
  ...PING,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
};

async function post(
  url: string,
  headers: Record<string, string>,
  method = 'POST',
  message: object = PING,
): Promise<Response> {
  return fetch(url, {
    method,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(message) }),
  });
}

describe.each(PLATFORMS)('guards in front of the endpoint, on %s', (platform) => {
  eachRevision('make the user of the request the caller, with roles and scopes', async ({ connect: meet }) => {
    const { url } = await openApplication(platform, zoo, guarded);
    const ada = await meet(url, { headers: { 'x-key': 'ada' } });
    expect(await ada.callTool('who')).toHaveText('ada user undefined');
    expect(await ada.callTool('write')).toHaveText('written');
    expect(await ada.callTool('feed')).toHaveText('fed');
    const bob = await meet(url, { headers: { 'x-key': 'bob' } });
    expect(await bob.callTool('who')).toHaveText('7 user undefined');
    expect((await bob.listTools()).tools.map(({ name }) => name)).not.toContain('feed');
    await expect(bob.callTool('write')).rejects.toMatchObject({ message: expect.stringContaining('zoo:write') });
  });

  it('refuse every request of callers whom they do not let in, with their own words', async () => {
    const { url } = await openApplication(platform, zoo, guarded);
    const none = await post(url, {});
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await none.json()).toMatchObject({ error: { message: 'No key' } });
    const denied = await post(url, { 'x-key': 'mallory' });
    expect([denied.status, await denied.json()]).toMatchObject([403, { error: { message: 'Forbidden resource' } }]);
    expect((await post(url, { 'x-key': 'busy' })).status).toBe(429);
    const broken = await post(url, { 'x-key': 'broken' });
    expect([broken.status, await broken.text()]).toEqual([500, expect.not.stringContaining('secret')]);
  });

  it('let callers without a user use everything that needs no right, or only what is public', async () => {
    const all = await openApplication(platform, zoo, guarded);
    const trusted = await connectAs('nobody', all.url);
    expect(trusted).toEqual(['open', 'who', 'write']);
    const some = await openApplication(platform, zoo, { ...guarded, withoutUser: 'public' });
    expect(await connectAs('nobody', some.url)).toEqual(['open']);
  });

  it('leave preflights to the rules of the endpoint', async () => {
    const { url } = await openApplication(platform, zoo, {
      ...guarded,
      http: { allowedOrigins: ['https://a.example'] },
    });
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
    expect((await fetch(url, { method: 'OPTIONS', headers })).status).toBe(204);
  });
});

async function connectAs(key: string, url: string): Promise<string[]> {
  const client = await connect(url, { headers: { 'x-key': key } });
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

it('builds guards that no module provides, and reads metadata of the module', async () => {
  class Marked implements CanActivate {
    constructor(private readonly reflector: Reflector) {}
    canActivate(context: ExecutionContext): boolean {
      const isOpen = this.reflector.getAllAndOverride<boolean>('open', [context.getHandler(), context.getClass()]);
      return isOpen && context.getType() === 'http' && context.switchToHttp().getResponse<object>() !== undefined;
    }
  }
  Injectable()(Marked);
  Reflect.defineMetadata('design:paramtypes', [Reflector], Marked);
  SetMetadata('open', true)(SigilModule);
  const { url } = await openApplication('express', { providers: [Zoo] }, { endpointGuards: [Marked] });
  expect((await post(url, {})).status).not.toBe(403);
  Reflect.deleteMetadata('open', SigilModule);
  expect((await post(url, {})).status).toBe(403);
});

it('builds guards that no module provides when the application starts, and calls their hooks', async () => {
  const seen: string[] = [];
  @Injectable()
  class Store implements OnModuleInit {
    isReady = false;
    async onModuleInit(): Promise<void> {
      await Promise.resolve();
      this.isReady = true;
    }
  }
  @Global()
  @Module({ providers: [Store], exports: [Store] })
  class StoreModule {}
  @Injectable()
  class Limiter implements CanActivate, OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
    private limits: number[] | undefined;
    constructor(private readonly store: Store) {}
    onModuleInit(): void {
      seen.push(`init ${this.store.isReady}`);
      this.limits = [1];
    }
    onApplicationBootstrap(): void {
      seen.push('bootstrap');
    }
    canActivate(): boolean {
      seen.push('asked');
      return this.limits?.length === 1;
    }
    onModuleDestroy(): void {
      seen.push('destroy');
    }
    onApplicationShutdown(): void {
      seen.push('shutdown');
    }
  }
  const metadata = { imports: [StoreModule], providers: [Zoo] };
  const { url, app } = await openApplication('express', metadata, { endpointGuards: [Limiter, Limiter] });
  expect(seen).toEqual(['init true', 'bootstrap']);
  expect((await post(url, {})).status).not.toBe(403);
  expect(seen.splice(2)).toEqual(['asked', 'asked']);
  await app.close();
  expect(seen).toEqual(['init true', 'bootstrap', 'destroy', 'shutdown']);
});

it.each(PLATFORMS)(
  'does not start on %s if a dependency of a guard that no module provides is missing',
  async (platform) => {
    const started = openApplication(platform, { providers: [Zoo] }, { endpointGuards: [KeyGuard] });
    await expect(started).rejects.toThrow(/resolve dependencies of the KeyGuard/);
  },
);

it('does not build them for an application without HTTP', async () => {
  const { server } = await openModule({ providers: [Zoo] }, { endpointGuards: [KeyGuard] });
  const client = await connect(server);
  expect(await client.callTool('open')).toHaveText('anonymous');
  await client.close();
});

it('takes a caller that a function makes of the request', async () => {
  const callerOf = (request: object): Caller =>
    new Caller({ id: String(Reflect.get(request, 'method')), kind: 'client' });
  const { url } = await openApplication('express', zoo, { ...guarded, callerOf });
  const client = await connect(url, { headers: { 'x-key': 'nobody' } });
  expect(await client.callTool('who')).toHaveText('POST client undefined');
  await client.close();
});

it('cannot be combined with tokens', async () => {
  const auth = { verify: () => undefined };
  await expect(openApplication('express', zoo, { ...guarded, http: { auth } })).rejects.toMatchObject({
    code: 'SIGIL_NEST_TWO_GATES',
  });
});

it('does not ask them over stdio or in memory', async () => {
  const { server } = await openModule(zoo, guarded);
  const client = await connect(server);
  expect(await client.callTool('who')).toHaveText('anonymous anonymous undefined');
  await client.close();
});

it('builds guards of a request for each one, and takes instances and Observables', async () => {
  let built = 0;
  @Injectable({ scope: Scope.REQUEST })
  class Counting implements CanActivate {
    constructor() {
      built++;
    }
    canActivate(): Observable<boolean> {
      return of(true);
    }
  }
  const instance: CanActivate = { canActivate: async () => Promise.resolve(built < 3) };
  const { url } = await openApplication(
    'express',
    { imports: [KeysModule], providers: [Zoo, Counting] },
    { endpointGuards: [Counting, instance] },
  );
  const statuses = [await post(url, {}), await post(url, {}), await post(url, {})].map(({ status }) => status);
  expect([built, statuses[2]]).toEqual([3, 403]);
  expect(statuses.slice(0, 2)).not.toContain(403);
});

it('counts the last value of an Observable, as on routes', async () => {
  const changesItsMind: CanActivate = { canActivate: () => of(true, false) };
  const { url } = await openApplication('express', { providers: [Zoo] }, { endpointGuards: [changesItsMind] });
  expect((await post(url, {})).status).toBe(403);
});

it.each(PLATFORMS)(
  'answers 503 on %s for a guard that does not answer, and the application can close',
  async (platform) => {
    const silent: CanActivate = { canActivate: async () => new Promise<boolean>(() => undefined) };
    const http = { limits: { verifyTimeout: 20 } };
    const { url, app } = await openApplication(platform, { providers: [Zoo] }, { endpointGuards: [silent], http });
    const late = await post(url, {});
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5']);
    await app.close();
  },
);

it.each(PLATFORMS)('lets nobody use the session of another user on %s', async (platform) => {
  const { url } = await openApplication(platform, zoo, guarded);
  const opened = await post(url, { 'x-key': 'ada' }, 'POST', INITIALIZE);
  const own = {
    'mcp-session-id': String(opened.headers.get('mcp-session-id')),
    'mcp-protocol-version': INITIALIZE.params.protocolVersion,
  };
  expect((await post(url, { ...own, 'x-key': 'ada' })).status).toBe(200);
  for (const method of ['POST', 'GET', 'DELETE'])
    expect([method, (await post(url, { ...own, 'x-key': 'bob' }, method)).status]).toEqual([method, 404]);
  expect((await post(url, { ...own, 'x-key': 'mallory' })).status).toBe(403);
});

describe('the user of a request', () => {
  it.each([
    [{ user: { sub: 'a', scope: 'x y', roles: 'r', exp: 2, iss: 'https://id.example' } }, 'a', ['x', 'y'], ['r']],
    [{ user: { id: 7, scopes: ['x', 3], role: ['r'], save: () => undefined } }, '7', ['x'], ['r']],
    [{ user: { email: 'a@example.com' } }, 'a@example.com', [], []],
    [{ user: { sub: '', id: 5n } }, '5', [], []],
  ])('of %p is a caller', (request, id, scopes, roles) => {
    expect(callerOfUser(request)).toMatchObject({ id, scopes, roles });
  });

  it('is nobody without an id', () => {
    expect(
      [{}, { user: null }, { user: { name: 'a' } }, { user: 'a' }, { user: { id: '' } }].map(callerOfUser),
    ).toEqual(Array(5).fill(undefined));
    const own = new Caller({ id: 'b' });
    expect(callerOfUser({ user: own })).toBe(own);
    expect(callerOfUser({ user: { sub: 'a', exp: 2 } })?.expiresAt).toBe(2000);
  });

  it('has no credentials of an entity among its claims', () => {
    const user = { id: 1, tenant: 'a', passwordHash: 'x', salt: 'y', refresh_token: 'z', apiKey: 'k' };
    expect(callerOfUser({ user })?.claims).toEqual({ id: 1, tenant: 'a' });
  });
});
