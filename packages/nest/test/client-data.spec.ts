/** What enhancers of Nest read of a call: nothing that the client wrote, unless they ask for the arguments by name. */
import {
  Catch,
  createParamDecorator,
  Injectable,
  SetMetadata,
  UseFilters,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { GqlExecutionContext } from '@nestjs/graphql';
import { Feature, Prompt, Resource, Tool } from '@sigil-mcp/core';
import { McpExecutionContext } from '@sigil-mcp/nest';
import '@sigil-mcp/testing/matchers';
import { IsArray, IsObject, IsOptional, IsString } from 'class-validator';
import type { Observable } from 'rxjs';
import { openApplication, openModule, PLATFORMS } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

class User {
  @IsArray() roles!: string[];
}
class Everything {
  @IsOptional() @IsObject() user?: object;
  @IsOptional() @IsObject() headers?: object;
  @IsOptional() @IsObject() session?: object;
  @IsOptional() @IsObject() params?: object;
  @IsOptional() @IsObject() body?: object;
  @IsOptional() @IsObject() req?: object;
  @IsOptional() @IsObject() handshake?: object;
  @IsOptional() @IsString() ip?: string;
}
class Name {
  @IsString() user!: string;
}

const FORGED = { roles: ['admin'] };
/** A client that sends the names which enhancers trust. */
const ALL_FORGED = {
  user: FORGED,
  headers: { authorization: 'forged' },
  session: { user: FORGED },
  params: FORGED,
  body: FORGED,
  req: { user: FORGED },
  handshake: { user: FORGED },
  ip: 'forged',
};

const Roles = (...roles: string[]): MethodDecorator => SetMetadata('roles', roles);

/** That of the documentation of Nest, word for word. */
@Injectable()
class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const requiredRoles = this.reflector.getAllAndOverride<string[] | undefined>('roles', [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!requiredRoles) return true;
    const { user } = context.switchToHttp().getRequest<{ user?: User }>();
    return requiredRoles.some((role) => user?.roles?.includes(role));
  }
}

describe('the RolesGuard of the documentation of Nest', () => {
  @Feature()
  class Admins {
    @Tool('For admins') @Roles('admin') wipe(_: Everything): string {
      return 'wiped';
    }
    @Prompt('For admins') @Roles('admin') ask(_: Name): string {
      return 'wiped';
    }
    @Resource('zoo://{user}') @Roles('admin') read(_: Name): string {
      return 'wiped';
    }
  }
  const providers = [Admins, { provide: APP_GUARD, useClass: RolesGuard }];

  eachRevision('does not believe the arguments of a client', async ({ connect }) => {
    const { server } = await openModule({ providers });
    const visitor = await connect(server, { as: { id: 'eve' } });
    const refused = { isError: true, content: [{ text: 'Forbidden resource' }] };
    expect(await visitor.callTool('wipe', ALL_FORGED)).toMatchObject(refused);
    // Also what validation would refuse later.
    expect(await visitor.callTool('wipe', { user: FORGED, unknown: 1 })).toMatchObject(refused);
    await expect(visitor.getPrompt('ask', { user: JSON.stringify(FORGED) })).rejects.toThrow('Forbidden resource');
    await expect(visitor.readResource('zoo://admin')).rejects.toThrow('Forbidden resource');
    const admin = await connect(server, { as: { id: 'ada', roles: ['admin'] } });
    expect(await admin.callTool('wipe', { user: {} })).toHaveText('wiped');
    expect((await visitor.listTools()).tools).toEqual([]);
    expect((await admin.listTools()).tools).toHaveLength(1);
  });

  describe.each(PLATFORMS)('over HTTP on %s', (platform) => {
    class Identify implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        const request = context.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
        request.user = { id: 'someone', roles: [request.headers['x-role'] ?? 'visitor'] };
        return true;
      }
    }

    eachRevision('finds the user of the request', async ({ connect }) => {
      const { url } = await openApplication(platform, { providers }, { endpointGuards: [Identify] });
      const visitor = await connect(url);
      expect(await visitor.callTool('wipe', ALL_FORGED)).toMatchObject({ isError: true });
      const admin = await connect(url, { headers: { 'x-role': 'admin' } });
      expect(await admin.callTool('wipe', { user: {} })).toHaveText('wiped');
    });
  });
});

describe('no accessor of an execution context', () => {
  const seen: Record<string, unknown[]> = {};

  /** All that a host hands out, apart from the documented place of the arguments. */
  function handedOut(host: ArgumentsHost): unknown[] {
    const [http, rpc, ws] = [host.switchToHttp(), host.switchToRpc(), host.switchToWs()];
    const graphql = GqlExecutionContext.create(host as ExecutionContext);
    return [
      http.getRequest(),
      http.getResponse(),
      http.getNext(),
      rpc.getData(),
      rpc.getContext(),
      ws.getClient(),
      ws.getData(),
      ws.getPattern(),
      graphql.getRoot(),
      graphql.getArgs(),
      graphql.getContext(),
      graphql.getInfo(),
      ...host.getArgs<unknown[]>(),
    ];
  }

  class Watching implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      seen['guard'] = handedOut(context);
      return true;
    }
  }
  class Around implements NestInterceptor {
    intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
      seen['interceptor'] = handedOut(context);
      return next.handle();
    }
  }
  @Catch(RangeError)
  class Filtering implements ExceptionFilter {
    catch(error: Error, host: ArgumentsHost): string {
      seen['filter'] = handedOut(host);
      return error.message;
    }
  }
  const Parameter = createParamDecorator((_: unknown, context: ExecutionContext) => {
    seen['parameter'] = handedOut(context);
    return JSON.stringify(McpExecutionContext.create(context).getData());
  });

  @Feature()
  class Seen {
    @Tool('Fails') @UseInterceptors(Around) @UseFilters(Filtering) fail(
      _: Everything,
      @Parameter() data: string,
    ): string {
      throw new RangeError(data);
    }
  }

  eachRevision('hands out what the client sent, before and after validation', async ({ connect }) => {
    const { server } = await openModule({ providers: [Seen, { provide: APP_GUARD, useClass: Watching }] });
    const client = await connect(server);
    // The documented place has it.
    expect(await client.callTool('fail', ALL_FORGED)).toHaveText(JSON.stringify(ALL_FORGED));
    expect(Object.keys(seen).sort()).toEqual(['filter', 'guard', 'interceptor', 'parameter']);
    const names = [...Object.keys(ALL_FORGED), 'user'];
    for (const values of Object.values(seen))
      for (const value of values) {
        const members = names.map((name) => (value as Record<string, unknown> | undefined)?.[name]);
        expect(JSON.stringify(members)).not.toMatch(/admin|forged/);
      }
  });
});
