/** What Nest runs around methods, in its own order, on every revision. */
import {
  BadRequestException,
  Catch,
  createParamDecorator,
  ForbiddenException,
  HttpException,
  Injectable,
  InternalServerErrorException,
  NotFoundException,
  SetMetadata,
  UnauthorizedException,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type ArgumentMetadata,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector } from '@nestjs/core';
import {
  Complete,
  Feature,
  ListTemplate,
  McpContext,
  Prompt,
  Resource,
  Tool,
  ToolFailure,
  UseGuards as UseSigilGuards,
  UseInterceptors as UseSigilInterceptors,
  type Call,
  type Guard,
  type Interceptor,
} from '@sigil-mcp/core';
import { McpExecutionContext } from '@sigil-mcp/nest';
import '@sigil-mcp/testing/matchers';
import { Transform } from 'class-transformer';
import { IsBoolean, IsString } from 'class-validator';
import { catchError, from, map, of, tap, throwError, type Observable } from 'rxjs';
import { openModule } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

let seen: string[] = [];
beforeEach(() => (seen = []));

class Name {
  @IsString() name!: string;
}
class Flag {
  @Transform(({ value }) => value === 'yes')
  @IsBoolean()
  flag!: boolean;
}
class Sure {
  @IsBoolean() sure!: boolean;
}

function guard(label: string, verdict = true): new () => CanActivate {
  @Injectable()
  class Told implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      seen.push(`${label} ${context.getType<string>()} ${context.getClass().name}.${context.getHandler().name}`);
      return verdict;
    }
  }
  return Told;
}

function interceptor(label: string): new () => NestInterceptor {
  @Injectable()
  class Around implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
      seen.push(`${label} in`);
      return next
        .handle()
        .pipe(
          tap({ next: () => seen.push(`${label} value`), error: () => seen.push(`${label} error`) }),
          tap({ complete: () => seen.push(`${label} out`) }),
        );
    }
  }
  return Around;
}

function pipe(label: string): new () => PipeTransform {
  @Injectable()
  class Piped implements PipeTransform {
    transform(value: unknown, { type, metatype }: ArgumentMetadata): unknown {
      seen.push(`${label} ${type} ${metatype?.name} ${value instanceof Name}`);
      return value;
    }
  }
  return Piped;
}

class SigilGuard implements Guard {
  allows(): boolean {
    seen.push('Sigil guard');
    return true;
  }
}
class SigilAround implements Interceptor {
  async intercept({ input }: Call, next: () => Promise<unknown>): Promise<unknown> {
    seen.push(`Sigil in ${input instanceof Name}`);
    const value = await next();
    seen.push('Sigil out');
    return value;
  }
}

describe('guards, interceptors and pipes', () => {
  @Feature()
  @UseGuards(guard('class guard'))
  @UseInterceptors(interceptor('class'))
  @UsePipes(pipe('class pipe'))
  class Ordered {
    @Tool('Greets')
    @UseGuards(guard('method guard'))
    @UseInterceptors(interceptor('method'))
    @UsePipes(pipe('method pipe'))
    @UseSigilGuards(SigilGuard)
    @UseSigilInterceptors(SigilAround)
    greet({ name }: Name): string {
      seen.push('handler');
      return `Hello ${name}`;
    }
  }
  const providers = [
    Ordered,
    { provide: APP_GUARD, useClass: guard('global guard') },
    { provide: APP_INTERCEPTOR, useClass: interceptor('global') },
    { provide: APP_PIPE, useClass: pipe('global pipe') },
  ];

  eachRevision('run in the order of Nest, between the guards and the interceptors of Sigil', async ({ connect }) => {
    const { server } = await openModule({ providers });
    const client = await connect(server);
    seen = [];
    expect(await client.callTool('greet', { name: 'Tom' })).toHaveText('Hello Tom');
    expect(seen).toEqual([
      'Sigil guard',
      'global guard mcp Ordered.greet',
      'class guard mcp Ordered.greet',
      'method guard mcp Ordered.greet',
      'global in',
      'class in',
      'method in',
      'global pipe custom Name true',
      'class pipe custom Name true',
      'method pipe custom Name true',
      'Sigil in true',
      'handler',
      'Sigil out',
      'method value',
      'class value',
      'global value',
      'method out',
      'class out',
      'global out',
    ]);
  });

  eachRevision('see arguments that are wrong before they are refused, as on routes', async ({ connect }) => {
    const { server } = await openModule({ providers });
    const client = await connect(server);
    seen = [];
    await client.callTool('greet', { name: 1 }).catch(() => undefined);
    expect(seen).toEqual(expect.arrayContaining(['method guard mcp Ordered.greet', 'method in', 'method error']));
    expect(seen).not.toContain('handler');
  });
});

describe('a guard', () => {
  const Roles = (...roles: string[]): MethodDecorator => SetMetadata('roles', roles);
  @Injectable()
  class RolesGuard implements CanActivate {
    constructor(private readonly reflector: Reflector) {}

    canActivate(context: ExecutionContext): boolean {
      const roles = this.reflector.getAllAndOverride<string[]>('roles', [context.getHandler(), context.getClass()]);
      const call = McpExecutionContext.create(context);
      const request = call.getRequest();
      expect(context.switchToHttp().getRequest()).toBe(request);
      expect(context.switchToRpc().getContext()).toBe(call.getContext());
      expect(context.getArgs().slice(0, 2)).toEqual([request, call.getContext()]);
      expect(call.getCall()?.entry).toBe(call.getCall() && call.getEntry());
      return roles === undefined || call.getContext().caller.hasRole(...roles);
    }
  }
  class Denying implements CanActivate {
    canActivate(): boolean {
      throw new UnauthorizedException('Show your badge.');
    }
  }

  @Feature()
  @UseGuards(RolesGuard)
  class Guarded {
    @Tool('For keepers') @Roles('keeper') feed(): string {
      return 'fed';
    }
    @Tool('For all') look(): string {
      return 'seen';
    }
    @Resource('cats://secret') @Roles('keeper') secret(): string {
      return 'secret';
    }
    @Prompt('Asks') @UseGuards(Denying) ask(): string {
      return 'Ask.';
    }
    @Resource('cats://{name}') cat({ name }: Name): string {
      return name;
    }
    @ListTemplate('cat') @Roles('keeper') cats(): { variables: Record<string, string>; name: string }[] {
      return [{ variables: { name: 'tom' }, name: 'Tom' }];
    }
    @Complete('name', 'cat') @Roles('keeper') names(): string[] {
      return ['tom'];
    }
  }

  eachRevision('reads metadata with Reflector, and denies a tool so that the model reads why', async ({ connect }) => {
    const { server } = await openModule({ providers: [Guarded] });
    const keeper = await connect(server, { as: { id: 'ada', roles: ['keeper'] } });
    const visitor = await connect(server, { as: { id: 'bob' } });
    expect(await keeper.callTool('feed')).toHaveText('fed');
    expect(await visitor.callTool('look')).toHaveText('seen');
    expect(await visitor.callTool('feed')).toMatchObject({ isError: true, content: [{ text: 'Forbidden resource' }] });
    const names = async (client: typeof keeper): Promise<string[]> =>
      (await client.listTools()).tools.map(({ name }) => name);
    expect(await names(keeper)).toEqual(['feed', 'look']);
    expect(await names(visitor)).toEqual(['look']);
  });

  eachRevision('denies resources and prompts with an error of JSON-RPC', async ({ connect }) => {
    const { server } = await openModule({ providers: [Guarded] });
    const visitor = await connect(server, { as: { id: 'bob' } });
    await expect(visitor.readResource('cats://secret')).rejects.toMatchObject({
      code: -32600,
      message: 'Forbidden resource',
    });
    await expect(visitor.getPrompt('ask')).rejects.toMatchObject({ code: -32600, message: 'Show your badge.' });
  });

  eachRevision('keeps the values of completions and templates from who is refused', async ({ connect }) => {
    const { server } = await openModule({ providers: [Guarded] });
    const keeper = await connect(server, { as: { id: 'ada', roles: ['keeper'] } });
    const visitor = await connect(server, { as: { id: 'bob' } });
    const names = async (client: typeof keeper): Promise<string[]> =>
      (await client.listResources()).resources.map(({ uri }) => uri);
    expect(await names(keeper)).toContain('cats://tom');
    expect(await names(visitor)).not.toContain('cats://tom');
  });
});

/** As `@nestjs/microservices` has it. */
class RpcException extends Error {
  getError(): string {
    return this.message;
  }
}

describe('an exception', () => {
  @Feature()
  class Failing {
    @Tool('Fails') fail({ name }: Name): string {
      if (name === 'missing') throw new NotFoundException('There is no such cat.');
      if (name === 'list') throw new BadRequestException(['age must be a number', 'name is too long']);
      if (name === 'own') throw new HttpException({ message: 'Too many cats' }, 409);
      if (name === 'rpc') throw new RpcException('No such place.');
      if (name === 'rxjs') return throwError(() => new ForbiddenException('Not yours.')) as never;
      if (name === 'server') throw new InternalServerErrorException('password=hunter2');
      throw new Error('password=hunter2');
    }
    @Resource('cats://{name}') cat({ name }: Name): string {
      if (name === 'none') throw new NotFoundException('There is no such cat.');
      throw new Error('password=hunter2');
    }
    @Prompt('Fails') advise(): string {
      throw new BadRequestException('Name a cat.');
    }
  }

  eachRevision('of HTTP below 500 is what the caller of a tool reads', async ({ connect }) => {
    const { server } = await openModule({ providers: [Failing] });
    const client = await connect(server);
    const textOf = async (name: string): Promise<unknown> => {
      const { isError, content } = await client.callTool('fail', { name });
      expect(isError).toBe(true);
      return content[0]?.text;
    };
    expect(await textOf('missing')).toBe('There is no such cat.');
    expect(await textOf('list')).toBe('age must be a number; name is too long');
    expect(await textOf('own')).toBe('Too many cats');
    expect(await textOf('rxjs')).toBe('Not yours.');
    expect(await textOf('rpc')).toBe('No such place.');
  });

  eachRevision('of any other kind is masked', async ({ connect }) => {
    const { server } = await openModule({ providers: [Failing] });
    const client = await connect(server);
    for (const name of ['server', 'other'])
      expect(JSON.stringify(await client.callTool('fail', { name }).catch(String))).not.toContain('hunter2');
    expect(JSON.stringify(await client.readResource('cats://other').catch(String))).not.toContain('hunter2');
  });

  eachRevision('is an error of JSON-RPC for resources and prompts', async ({ connect }) => {
    const { server } = await openModule({ providers: [Failing] });
    const client = await connect(server);
    await expect(client.readResource('cats://none')).rejects.toMatchObject({ message: 'There is no such cat.' });
    await expect(client.getPrompt('advise')).rejects.toMatchObject({ code: -32602, message: 'Name a cat.' });
  });
});

describe('an exception filter', () => {
  class TimedOut extends Error {}
  @Catch(TimedOut)
  class TellTimeouts implements ExceptionFilter {
    catch(error: TimedOut, host: ArgumentsHost): never {
      seen.push(`filter ${host.getType<string>()}`);
      throw new ToolFailure(`Slow today: ${error.message}`);
    }
  }
  @Catch(RangeError)
  class Replacing implements ExceptionFilter {
    catch(): Observable<string> {
      return of('replaced');
    }
  }
  @Catch()
  class HttpOnly implements ExceptionFilter {
    catch(error: Error, host: ArgumentsHost): void {
      seen.push(`http filter ${error.message}`);
      host.switchToHttp().getResponse<{ status(code: number): { json(body: unknown): void } }>().status(500).json({});
    }
  }
  @Catch()
  class Watching implements ExceptionFilter {
    catch(error: Error): void {
      seen.push(`watched ${error.message}`);
    }
  }

  @Feature()
  @UseFilters(TellTimeouts)
  class Filtered {
    @Tool('Fails') fail({ name }: Name): string {
      if (name === 'slow') throw new TimedOut('5 s');
      throw new NotFoundException('Nobody.');
    }
    @Tool('Is replaced') @UseFilters(Replacing) replace(): string {
      throw new RangeError('x');
    }
  }

  eachRevision('of a class or a method decides about what it catches', async ({ connect }) => {
    const { server } = await openModule({ providers: [Filtered] });
    const client = await connect(server);
    expect(await client.callTool('fail', { name: 'slow' })).toMatchObject({
      isError: true,
      content: [{ text: 'Slow today: 5 s' }],
    });
    expect(await client.callTool('fail', { name: 'x' })).toMatchObject({
      isError: true,
      content: [{ text: 'Nobody.' }],
    });
    expect(await client.callTool('replace')).toHaveText('replaced');
    expect(seen).toEqual(['filter mcp']);
  });

  eachRevision('that only knows HTTP, or returns nothing, changes no answer', async ({ connect }) => {
    for (const useClass of [HttpOnly, Watching]) {
      const { server } = await openModule({ providers: [Filtered, { provide: APP_FILTER, useClass }] });
      const client = await connect(server);
      expect(await client.callTool('fail', { name: 'x' })).toMatchObject({
        isError: true,
        content: [{ text: 'Nobody.' }],
      });
    }
    expect(seen).toEqual(['http filter Nobody.', 'watched Nobody.']);
  });
});

describe('values', () => {
  class Doubled implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler<string>): Observable<string> {
      return next.handle().pipe(map((text) => `${text} ${text}`));
    }
  }
  class Rescued implements NestInterceptor {
    intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle().pipe(catchError(() => of('rescued')));
    }
  }
  const Who = createParamDecorator((data: string, context: ExecutionContext) => {
    const { caller } = McpExecutionContext.create(context).getContext();
    return `${data} ${caller.id}`;
  });

  @Feature()
  class Valued {
    @Tool('Counts') @UseInterceptors(Doubled) count(): Observable<string> {
      return from(['one', 'two']);
    }
    @Tool('Fails') @UseInterceptors(Rescued) fail(): string {
      throw new Error('x');
    }
    @Tool('Knows') know({ name }: Name, @Who('user') who: string, context: McpContext): string {
      return `${name} ${who} ${context.caller.id}`;
    }
    @Tool('Transforms') flag({ flag }: Flag): string {
      return String(flag);
    }
  }

  eachRevision('of interceptors and Observables are results', async ({ connect }) => {
    const { server } = await openModule({ providers: [Valued] });
    const client = await connect(server);
    expect(await client.callTool('count')).toHaveText('two two');
    expect(await client.callTool('fail')).toHaveText('rescued');
  });

  eachRevision('of parameters come from decorators of Nest', async ({ connect }) => {
    const { server } = await openModule({ providers: [Valued] });
    const client = await connect(server, { as: { id: 'ada' } });
    expect(await client.callTool('know', { name: 'Tom' })).toHaveText('Tom user ada ada');
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'know')?.inputSchema).toMatchObject({ required: ['name'] });
  });

  eachRevision('are transformed once, also with a global ValidationPipe', async ({ connect }) => {
    const useValue = new ValidationPipe({ transform: true, whitelist: true });
    const { server } = await openModule({ providers: [Valued, { provide: APP_PIPE, useValue }] });
    const client = await connect(server);
    expect(await client.callTool('flag', { flag: true })).toBeDefined();
    expect(await client.callTool('know', { name: 'Tom' })).toHaveText(/^Tom user/);
  });
});

describe('a question', () => {
  @Feature()
  @UseFilters(
    class implements ExceptionFilter {
      catch(error: Error): never {
        seen.push(`filter ${error.name}`);
        throw error;
      }
    },
  )
  @UseInterceptors(interceptor('around'))
  class Asking {
    @Tool('Deletes') async remove(context: McpContext): Promise<string> {
      const answer = await context.elicit(Sure, 'Really?');
      return answer.action === 'accept' && answer.content.sure ? 'deleted' : 'kept';
    }
  }

  eachRevision(
    'is no failure for interceptors and filters of Nest',
    async ({ connect, revision }) => {
      const { server } = await openModule({ providers: [Asking] });
      const client = await connect(server, { answers: () => ({ action: 'accept', content: { sure: true } }) });
      expect(await client.callTool('remove')).toHaveText('deleted');
      const rounds = revision < '2026-07-28' ? [] : ['around in', 'around out'];
      expect(seen).toEqual([...rounds, 'around in', 'around value', 'around out']);
    },
    { since: '2025-06-18' },
  );
});
