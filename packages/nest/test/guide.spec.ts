/** What `docs/nest.md` says and shows. */
import {
  createParamDecorator,
  Inject,
  Injectable,
  Module,
  NotFoundException,
  Scope,
  SetMetadata,
  UnauthorizedException,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { NestFactory, Reflector, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Feature, McpContext, Resource, Server, Tool } from '@sigil-mcp/core';
import { McpExecutionContext, SigilModule, type McpRequest } from '@sigil-mcp/nest';
import { connect, matchers } from '@sigil-mcp/testing';
import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsInt, IsString, Min } from 'class-validator';
import type { AddressInfo } from 'node:net';

expect.extend(matchers);

// #region dto
export class CreateCat {
  @ApiProperty({ description: 'What it is called', example: 'Tom' })
  @IsString()
  name!: string;

  @ApiProperty({ description: 'In years' })
  @IsInt()
  @Min(0)
  age!: number;
}

export class UpdateCat extends PartialType(CreateCat) {}
// #endregion dto

@Injectable()
export class CatsService {
  readonly #cats = new Map<string, CreateCat>();

  constructor() {
    this.add({ name: 'Tom', age: 3 });
  }

  add(cat: CreateCat): void {
    this.#cats.set(cat.name, cat);
  }

  find(name: string): CreateCat {
    const cat = this.#cats.get(name);
    // #region not-found
    if (!cat) throw new NotFoundException(`There is no cat called ${name}.`);
    // #endregion not-found
    return cat;
  }
}

class CatName {
  @IsString() name!: string;
}

// #region roles
export const Roles = (...roles: string[]): MethodDecorator => SetMetadata('roles', roles);

@Injectable()
export class RolesGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const roles = this.reflector.getAllAndOverride<string[]>('roles', [context.getHandler(), context.getClass()]);
    if (!roles) return true;
    if (context.getType<string>() !== 'mcp') return false;
    return McpExecutionContext.create(context)
      .getContext()
      .caller.hasRole(...roles);
  }
}
// #endregion roles

// #region feature
@Feature()
@UseGuards(RolesGuard)
export class CatsFeature {
  constructor(private readonly cats: CatsService) {}

  @Tool('Adds a cat')
  @Roles('keeper')
  addCat(cat: CreateCat): string {
    this.cats.add(cat);
    return `Added ${cat.name}.`;
  }

  @Resource('cats://{name}', { description: 'One cat' })
  cat({ name }: CatName): CreateCat {
    return this.cats.find(name);
  }
}
// #endregion feature

// #region module
@Module({
  imports: [SigilModule.forRoot({ name: 'zoo', version: '1.0.0' })],
  providers: [CatsService, CatsFeature],
})
export class AppModule {}
// #endregion module

// #region service
@Injectable()
export class OldCatsService {
  constructor(private readonly cats: CatsService) {}

  @Tool('Tells the age of a cat')
  ageOf({ name }: CatName): string {
    return String(this.cats.find(name).age);
  }
}
// #endregion service

// #region tenant
@Injectable({ scope: Scope.REQUEST })
export class Tenant {
  constructor(@Inject(REQUEST) private readonly request: McpRequest) {}

  get name(): string {
    return String(this.request.headers['x-tenant']);
  }
}

@Feature()
export class TenantFeature {
  constructor(private readonly tenant: Tenant) {}

  @Tool('Names the tenant')
  tenantName(): string {
    return this.tenant.name;
  }
}
// #endregion tenant

// #region parameter
export const UserId = createParamDecorator(
  (_: unknown, context: ExecutionContext) => McpExecutionContext.create(context).getContext().caller.id,
);

@Feature()
export class WhoFeature {
  @Tool('Says who asks')
  whoAmI(@UserId() user: string, context: McpContext): string {
    return `${user}, with ${context.client.name}`;
  }
}
// #endregion parameter

// #region config
@Module({
  imports: [
    SigilModule.forRootAsync({
      imports: [ConfigModule.forRoot({ ignoreEnvFile: true })],
      inject: [ConfigService],
      useFactory: (config: ConfigService) => ({
        name: 'zoo',
        version: '1.0.0',
        path: config.get<string>('MCP_PATH', '/mcp'),
      }),
    }),
  ],
  providers: [CatsService, CatsFeature],
})
export class ConfiguredModule {}
// #endregion config

// #region endpoint-guards
@Injectable()
export class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<McpRequest>();
    if (request.headers['x-key'] !== 'miaow') throw new UnauthorizedException('Send a key.');
    request.user = { id: 'ada', roles: ['keeper'] };
    return true;
  }
}

@Module({
  imports: [SigilModule.forRoot({ name: 'zoo', version: '1.0.0', endpointGuards: [KeyGuard] })],
  providers: [CatsService, CatsFeature],
})
export class GuardedModule {}
// #endregion endpoint-guards

// #region several
@Module({
  imports: [SigilModule.forRoot({ name: 'zoo', version: '1.0.0', path: '/mcp' })],
  providers: [CatsService, CatsFeature],
})
export class VisitorsModule {}

@Module({
  imports: [SigilModule.forRoot({ name: 'zoo-staff', version: '1.0.0', path: '/staff', endpointGuards: [KeyGuard] })],
  providers: [WhoFeature],
})
export class StaffModule {}
// #endregion several

it('serves a feature of an application, with its guard, its service and its exceptions', async () => {
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const client = await connect(`http://127.0.0.1:${port}/mcp`);
  await expect(client.readResource('cats://nobody')).rejects.toThrow('There is no cat called nobody.');
  expect(await client.callTool('addCat', { name: 'Kitty', age: 1 })).toMatchObject({
    isError: true,
    content: [{ text: 'Forbidden resource' }],
  });
  await client.close();
  await app.close();
});

it('lets a caller in by a guard in front of the endpoint, whose user has the role', async () => {
  const app = await NestFactory.create(GuardedModule, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const url = `http://127.0.0.1:${port}/mcp`;
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  const client = await connect(url, { headers: { 'x-key': 'miaow' } });
  expect(await client.callTool('addCat', { name: 'Kitty', age: 1 })).toHaveText('Added Kitty.');
  await client.close();
  await app.close();
});

it('serves each server with the tools of its own module', async () => {
  class TwoServers {}
  Module({ imports: [VisitorsModule, StaffModule] })(TwoServers);
  const app = await NestFactory.create(TwoServers, { logger: false, abortOnError: false });
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
  const visitor = await connect(`http://127.0.0.1:${port}/mcp`);
  await expect(visitor.callTool('whoAmI')).rejects.toThrow('Unknown tool');
  const staff = await connect(`http://127.0.0.1:${port}/staff`, { headers: { 'x-key': 'miaow' } });
  expect(await staff.callTool('whoAmI')).toHaveText('ada, with sigil-testing');
  await app.close();
});

// #region test
it('adds a cat', async () => {
  const module = await Test.createTestingModule({ imports: [AppModule] })
    .overrideProvider(CatsService)
    .useValue({ add: () => undefined })
    .compile();
  await module.init();
  const client = await connect(module.get(Server), { as: { id: 'ada', roles: ['keeper'] } });
  expect(await client.callTool('addCat', { name: 'Kitty', age: 1 })).toHaveText('Added Kitty.');
  await module.close();
});
// #endregion test

it('has entries on services, providers of a request, and decorated parameters', async () => {
  const module = await Test.createTestingModule({
    imports: [ConfiguredModule],
    providers: [CatsService, OldCatsService, Tenant, TenantFeature, WhoFeature],
  }).compile();
  module.useLogger(false);
  await module.init();
  const client = await connect(module.get(Server), { as: { id: 'ada' }, headers: { 'x-tenant': 'acme' } });
  expect(await client.callTool('ageOf', { name: 'Tom' })).toHaveText('3');
  expect(await client.callTool('tenantName')).toHaveText('acme');
  expect(await client.callTool('whoAmI')).toHaveText('ada, with sigil-testing');
  expect(new UpdateCat()).toBeInstanceOf(UpdateCat);
  await module.close();
});
