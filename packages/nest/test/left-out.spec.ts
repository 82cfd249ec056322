/** Enhancers that a decorator names are never left out: on controllers, for what a factory returns, on parameters. */
import {
  Controller,
  createParamDecorator,
  Get,
  Injectable,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UsePipes,
  Catch,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type PipeTransform,
  type Provider,
} from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { Complete, Feature, MemoryTransport, Prompt, Tool } from '@sigil-mcp/core';
import '@sigil-mcp/testing/matchers';
import { IsString } from 'class-validator';
import { openModule } from './support/open-application';
import { eachRevision } from '../../../test/support/each-revision';

const REFUSED = { isError: true, content: [{ text: 'Forbidden resource' }] };

class Name {
  @IsString() name!: string;
}
@Injectable()
class Deny implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}
@Injectable({ scope: Scope.REQUEST })
class DenyOfRequest extends Deny {}
class Polite implements PipeTransform {
  transform(value: Name | string): object | string {
    return typeof value === 'string' ? `Dear ${value}` : { name: `Dear ${value.name}` };
  }
}
@Catch(RangeError)
class Told implements ExceptionFilter {
  catch(error: Error): string {
    return `told ${error.message}`;
  }
}

describe('on a controller', () => {
  @Controller('one')
  @UseGuards(Deny)
  class ClassGuarded {
    @Get() @Tool('Secret') secret(): string {
      return 'leaked';
    }
  }
  @Controller('two')
  class MethodGuarded {
    @Get() @Tool('Secret') @UseGuards(DenyOfRequest) hidden(): string {
      return 'leaked';
    }
    @Tool('Polite') @UsePipes(Polite) polite({ name }: Name): string {
      return name;
    }
    @Tool('Fails') @UseFilters(Told) fail(): string {
      throw new RangeError('out of range');
    }
  }

  eachRevision('class and method have their guards, pipes and filters', async ({ connect }) => {
    const { server } = await openModule({ controllers: [ClassGuarded, MethodGuarded] });
    const client = await connect(server);
    expect(await client.callTool('secret')).toMatchObject(REFUSED);
    expect(await client.callTool('hidden')).toMatchObject(REFUSED);
    expect(await client.callTool('polite', { name: 'Tom' })).toHaveText('Dear Tom');
    expect(await client.callTool('fail')).toHaveText('told out of range');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['polite', 'fail']);
  });
});

describe('for what a factory or a value supplies', () => {
  @Feature()
  @UseGuards(new Deny())
  @SetMetadata('roles', ['admin'])
  class Guarded {
    @Tool('Secret') secret(): string {
      return 'of the class';
    }
  }
  const instead = { secret: () => 'leaked' };
  const WAYS: readonly (readonly [string, Provider])[] = [
    ['a value', { provide: Guarded, useValue: instead }],
    ['a factory', { provide: Guarded, useFactory: () => instead }],
    ['a factory for each request', { provide: Guarded, useFactory: () => ({ ...instead }), scope: Scope.REQUEST }],
    ['a proxy', { provide: Guarded, useValue: new Proxy(instead, {}) }],
    [
      'an object without a prototype',
      { provide: Guarded, useValue: Object.assign(Object.create(null), instead) as object },
    ],
  ];

  describe.each(WAYS)('as %s', (_way, provider) => {
    eachRevision('guards of the class stand', async ({ connect }) => {
      const { server } = await openModule({ providers: [provider] });
      const client = await connect(server);
      expect(await client.callTool('secret')).toMatchObject(REFUSED);
      expect((await client.listTools()).tools).toEqual([]);
    });
  });

  eachRevision('metadata of the class is read', async ({ connect }) => {
    @Feature()
    @SetMetadata('roles', ['admin'])
    class Marked {
      @Tool('Secret') secret(): string {
        return 'of the class';
      }
    }
    class RolesGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext): boolean {
        return this.reflector.get<unknown>('roles', context.getClass()) === undefined;
      }
    }
    const guard = { provide: APP_GUARD, useFactory: (by: Reflector) => new RolesGuard(by), inject: [Reflector] };
    const { server } = await openModule({ providers: [{ provide: Marked, useValue: instead }, guard] });
    expect(await (await connect(server)).callTool('secret')).toMatchObject(REFUSED);
  });

  describe('of a subclass', () => {
    @Feature()
    class Plain {
      @Tool('Secret') secret(): string {
        return 'of the class';
      }
    }
    @UseGuards(new Deny())
    class Sub extends Plain {
      override secret(): string {
        return 'leaked';
      }
    }
    @UseGuards(Deny)
    class SubOfClass extends Plain {}

    eachRevision('guards of the subclass stand', async ({ connect }) => {
      for (const scope of [Scope.DEFAULT, Scope.REQUEST]) {
        const { server } = await openModule({ providers: [{ provide: Plain, useFactory: () => new Sub(), scope }] });
        expect(await (await connect(server)).callTool('secret')).toMatchObject(REFUSED);
      }
    });

    it('a guard that Nest has not built stops the start', async () => {
      const { server } = await openModule({ providers: [{ provide: Plain, useFactory: () => new SubOfClass() }] });
      await expect(server.listen(new MemoryTransport())).rejects.toThrow(
        /Plain\.secret has @UseGuards\(Deny\).*a factory.*List the class itself/s,
      );
    });

    eachRevision('one that is not built for a request refuses it', async ({ connect }) => {
      const provider = { provide: Plain, useFactory: () => new SubOfClass(), scope: Scope.REQUEST };
      const { server } = await openModule({ providers: [provider] });
      const client = await connect(server);
      expect((await client.listTools()).tools).toEqual([]);
      expect(JSON.stringify(await client.callTool('secret').catch(String))).not.toContain('of the class');
    });
  });

  eachRevision('the input arrives', async ({ connect }) => {
    @Feature()
    class Greeter {
      @Tool('Greets') greet({ name }: Name): string {
        return name;
      }
    }
    const useValue = { greet: (given: Name | undefined) => `mock ${given?.name}` };
    const { server } = await openModule({ providers: [{ provide: Greeter, useValue }] });
    expect(await (await connect(server)).callTool('greet', { name: 'Tom' })).toHaveText('mock Tom');
  });
});

describe('on parameters', () => {
  const UserId = createParamDecorator(
    (_: unknown, context: ExecutionContext) =>
      context.switchToHttp().getRequest<{ user?: { readonly id: string } }>().user?.id ?? 'nobody',
  );

  eachRevision('of a completion, decorators of Nest give the value, and not the client', async ({ connect }) => {
    @Feature()
    class Accounts {
      @Prompt('Asks') ask({ name }: Name): string {
        return name;
      }
      @Complete('name', 'ask') names(@UserId() user: string, prefix: string, @UserId(Polite) polite: string): string[] {
        return [`${user} ${prefix} ${polite}`];
      }
    }
    const { server } = await openModule({ providers: [Accounts] });
    const client = await connect(server, { as: { id: 'ada' } });
    const { completion } = await client.complete({ prompt: 'ask' }, 'name', 'admin');
    expect(completion.values).toEqual(['ada admin Dear ada']);
  });

  it('of a feature that is no provider, a pipe that Nest has not built stops the start', async () => {
    @Feature()
    class Plain {
      @Tool('Secret') secret(@UserId(Polite) user: string): string {
        return user;
      }
    }
    const { server } = await openModule({}, { features: [Plain] });
    await expect(server.listen(new MemoryTransport())).rejects.toThrow(/Plain\.secret has a parameter with\(Polite\)/);
  });
});
