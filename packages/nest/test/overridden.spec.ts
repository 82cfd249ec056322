/** A subclass that overrides a method with decorators of Nest, and what is no provider of Nest. */
import {
  Catch,
  Injectable,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector } from '@nestjs/core';
import { Feature, MemoryTransport, resource, tool, Tool } from '@sigil-mcp/core';
import { McpExecutionContext } from '@sigil-mcp/nest';
import '@sigil-mcp/testing/matchers';
import { IsString } from 'class-validator';
import { map, type Observable } from 'rxjs';
import { openModule } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

const seen: string[] = [];
beforeEach(() => void (seen.length = 0));

@Injectable()
class Deny implements CanActivate {
  canActivate(): boolean {
    seen.push('Deny');
    return false;
  }
}
class Allow implements CanActivate {
  canActivate(): boolean {
    seen.push('Allow');
    return true;
  }
}
class Shout implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<string>): Observable<string> {
    return next.handle().pipe(map((text) => text.toUpperCase()));
  }
}

const REFUSED = { isError: true, content: [{ text: 'Forbidden resource' }] };

describe('a method that overrides a guarded one', () => {
  class Base {
    @Tool('Secret') @UseGuards(Deny) secret(): string {
      return 'of the base';
    }
  }

  it('stops the start if Nest has not built its guard', async () => {
    @Feature()
    class Sub extends Base {
      override secret(): string {
        return 'leaked';
      }
    }
    const { server } = await openModule({ providers: [Sub] });
    await expect(server.listen(new MemoryTransport())).rejects.toThrow(
      /Sub\.secret has @UseGuards\(Deny\), which Nest has not built.*another one overrides.*Repeat the decorator/s,
    );
  });

  eachRevision('keeps a guard that Nest has built, also beside guards of its own', async ({ connect }) => {
    @Feature()
    class Sub extends Base {
      @UseGuards(Allow) override secret(): string {
        return 'leaked';
      }
      @Tool('Another') @UseGuards(Deny) another(): string {
        return 'leaked';
      }
    }
    const { server } = await openModule({ providers: [Sub] });
    const client = await connect(server);
    expect(await client.callTool('secret')).toMatchObject(REFUSED);
    expect(seen).toEqual(['Deny']);
    expect((await client.listTools()).tools).toEqual([]);
  });

  eachRevision('keeps guards and interceptors that are objects', async ({ connect }) => {
    class Loud {
      @Tool('Loud') @UseInterceptors(new Shout()) loud(): string {
        return 'of the base';
      }
      @Tool('Denied') @UseGuards(new Deny()) denied(): string {
        return 'of the base';
      }
    }
    @Feature()
    class Sub extends Loud {
      override loud(): string {
        return 'sub';
      }
      override denied(): string {
        return 'leaked';
      }
    }
    const { server } = await openModule({ providers: [Sub] });
    const client = await connect(server);
    expect(await client.callTool('loud')).toHaveText('SUB');
    expect(await client.callTool('denied')).toMatchObject(REFUSED);
  });

  eachRevision('keeps the guards of a base class whose subclass has guards of its own', async ({ connect }) => {
    @UseGuards(new Deny())
    class Guarded {
      @Tool('Denied') denied(): string {
        return 'leaked';
      }
    }
    @Feature()
    @UseGuards(new Allow())
    class Sub extends Guarded {}
    const { server } = await openModule({ providers: [Sub] });
    expect(await (await connect(server)).callTool('denied')).toMatchObject(REFUSED);
    expect(seen).toEqual(['Deny']);
  });

  eachRevision('keeps metadata, unless it has its own', async ({ connect }) => {
    class RolesGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext): boolean {
        const roles = this.reflector.get<string[] | undefined>('roles', context.getHandler());
        return roles === undefined || roles.includes('visitor');
      }
    }
    class Kept {
      @Tool('Kept') @SetMetadata('roles', ['admin']) kept(): string {
        return 'of the base';
      }
      @Tool('Opened') @SetMetadata('roles', ['admin']) opened(): string {
        return 'of the base';
      }
    }
    @Feature()
    class Sub extends Kept {
      override kept(): string {
        return 'leaked';
      }
      @SetMetadata('roles', ['visitor']) override opened(): string {
        return 'open';
      }
    }
    const guard = {
      provide: APP_GUARD,
      useFactory: (reflector: Reflector) => new RolesGuard(reflector),
      inject: [Reflector],
    };
    const { server } = await openModule({ providers: [Sub, guard] });
    const client = await connect(server);
    expect(await client.callTool('kept')).toMatchObject(REFUSED);
    expect(await client.callTool('opened')).toHaveText('open');
  });
});

describe('what is no provider of Nest', () => {
  it('stops the start if its guard is a class, which Nest would leave out', async () => {
    @Feature()
    class Plain {
      @Tool('Secret') @UseGuards(Deny) secret(): string {
        return 'leaked';
      }
    }
    const { server } = await openModule({ providers: [] }, { features: [Plain] });
    await expect(server.listen(new MemoryTransport())).rejects.toThrow(
      /Plain\.secret has @UseGuards\(Deny\), and is no provider of Nest.*a provider of a module/s,
    );
  });

  eachRevision('has the guards that are objects', async ({ connect }) => {
    @Feature()
    class Plain {
      @Tool('Secret') @UseGuards(new Deny()) secret(): string {
        return 'leaked';
      }
    }
    const run = (): string => 'leaked';
    UseGuards(new Deny())(run);
    const { server } = await openModule({}, { features: [Plain, tool('run', { description: 'Runs' }, run)] });
    const client = await connect(server);
    expect(await client.callTool('secret')).toMatchObject(REFUSED);
    expect(await client.callTool('run')).toMatchObject(REFUSED);
  });

  eachRevision(
    'has metadata that is written on a function, and an entry by which a guard knows others',
    async ({ connect }) => {
      const asked: string[] = [];
      class Knowing implements CanActivate {
        constructor(private readonly reflector: Reflector) {}
        canActivate(context: ExecutionContext): boolean {
          const entry = McpExecutionContext.create(context).getEntry();
          asked.push(`${context.getClass().name} ${entry?.kind} ${entry?.key}`);
          return this.reflector.get<boolean>('public', context.getHandler()) || entry?.key === 'known';
        }
      }
      const open = (): string => 'open';
      SetMetadata('public', true)(open);
      const features = ['open', 'known', 'closed'].map((name) =>
        tool(name, { description: `Is ${name}` }, name === 'open' ? open : () => name),
      );
      const guard = { provide: APP_GUARD, useFactory: (by: Reflector) => new Knowing(by), inject: [Reflector] };
      const { server } = await openModule({ providers: [guard] }, { features });
      const client = await connect(server);
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['open', 'known']);
      expect(asked).toContain('EntryFunctions tool closed');
      expect(await client.callTool('open')).toHaveText('open');
      expect(await client.callTool('closed')).toMatchObject(REFUSED);
    },
  );

  eachRevision('runs inside of global interceptors, pipes and filters', async ({ connect }) => {
    @Catch(RangeError)
    class Told implements ExceptionFilter {
      catch(error: Error): string {
        return `filtered ${error.message}`;
      }
    }
    class Greeted implements PipeTransform {
      transform(value: { name: string }): object {
        return { name: `Dear ${value.name}` };
      }
    }
    class Name {
      @IsString() name!: string;
    }
    const greet = tool('greet', { description: 'Greets', input: Name }, ({ name }) => name);
    const fail = tool('fail', { description: 'Fails' }, () => {
      throw new RangeError('out of range');
    });
    const note = resource('zoo://{name}', { name: 'note', input: Name }, ({ name }) => name);
    const providers = [
      { provide: APP_INTERCEPTOR, useClass: Shout },
      { provide: APP_PIPE, useClass: Greeted },
      { provide: APP_FILTER, useClass: Told },
    ];
    const { server } = await openModule({ providers }, { features: [greet, fail, note] });
    const client = await connect(server);
    expect(await client.callTool('greet', { name: 'Tom' })).toHaveText('DEAR TOM');
    expect(await client.callTool('fail')).toHaveText('filtered out of range');
    expect((await client.readResource('zoo://tom')).contents).toMatchObject([{ text: 'DEAR TOM' }]);
  });
});
