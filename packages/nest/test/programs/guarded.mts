/**
 * An application with one global guard, and an entry of every kind, defined in every way. It listens three times, with the guard defined in
 * three ways, and writes the URLs to stderr. Everything that only a keeper may see has the word SECRET.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Controller,
  Inject,
  Injectable,
  Module,
  Scope,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  type OnApplicationBootstrap,
  type Provider,
} from '@nestjs/common';
import { APP_GUARD, NestFactory, REQUEST } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { apps, view, View } from '@sigil-mcp/apps';
import {
  Complete,
  Feature,
  ListTemplate,
  prompt,
  Prompt,
  Resource,
  resource,
  Server,
  tool,
  Tool,
} from '@sigil-mcp/core';
import { SigilModule } from '@sigil-mcp/nest';
import { resultBudgets } from '@sigil-mcp/results';
import { skills } from '@sigil-mcp/skills';
import { tasks } from '@sigil-mcp/tasks';
import { searchToolset } from '@sigil-mcp/toolsets';
import { IsString } from 'class-validator';

class Name {
  @IsString() name!: string;
}

interface Asked {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: { readonly roles: readonly string[] };
}

/** Knows one user, whose roles are in a header: rights may be taken away from one request to the next. */
class Identify implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ headers: Asked['headers']; user?: object }>();
    request.user = { id: 'ada', roles: [request.headers['x-role'] ?? 'visitor'] };
    return true;
  }
}

/** As the documentation of Nest writes it, for routes. */
class KeepersOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { user } = context.switchToHttp().getRequest<Asked>();
    return user?.roles.includes('keeper') ?? false;
  }
}

@Injectable({ scope: Scope.REQUEST })
class KeepersOfRequest implements CanActivate {
  constructor(@Inject(REQUEST) private readonly request: Asked) {}

  canActivate(): boolean {
    return this.request.user?.roles.includes('keeper') ?? false;
  }
}

const SECRET = 'SECRET';
const page = (text: string): string => `<!doctype html><html lang="en"><title>zoo</title><body>${text}</body></html>`;

@Feature()
class Methods {
  @Tool('A method') methodTool(): string {
    return SECRET;
  }
  @Tool('Wants a name') named({ name }: Name): string {
    return `${SECRET} ${name}`;
  }
  @Tool('A task', { task: 'optional' }) taskTool(): string {
    return SECRET;
  }
  @Tool('Long', { budget: 1000 }) long(): string {
    return `${SECRET} `.repeat(2000);
  }
  @Resource('zoo://method/one') methodResource(): string {
    return SECRET;
  }
  @Resource('zoo://method/of/{name}') methodTemplate({ name }: Name): string {
    return `${SECRET} ${name}`;
  }
  @ListTemplate('methodTemplate') methodList(): { variables: Record<string, string>; name: string }[] {
    return [{ variables: { name: 'tom' }, name: SECRET }];
  }
  @Complete('name', 'methodTemplate') methodNames(): string[] {
    return [SECRET];
  }
  @Prompt('A method') methodPrompt({ name }: Name): string {
    return `${SECRET} ${name}`;
  }
  @Complete('name', 'methodPrompt') promptNames(): string[] {
    return [SECRET];
  }
  @View('ui://zoo/method') methodView(): string {
    return page(SECRET);
  }
}

@Injectable({ scope: Scope.REQUEST })
class Asker {
  constructor(@Inject(REQUEST) readonly request: object) {}
}

@Feature()
class ForEachRequest {
  constructor(private readonly asker: Asker) {}

  @Tool('For each request') scopedTool(): string {
    return `${SECRET} ${typeof this.asker.request}`;
  }
}

@Controller('zoo')
class InController {
  @Tool('In a controller') controllerTool(): string {
    return SECRET;
  }
}

/** Sigil builds it, because no module provides it. */
@Feature()
class BuiltBySigil {
  @Tool('Built by Sigil') builtTool(): string {
    return SECRET;
  }
}

class Base {
  @Tool('Inherited') inheritedTool(): string {
    return 'of the base';
  }
}
@Feature()
class Overriding extends Base {
  override inheritedTool(): string {
    return SECRET;
  }
}

function entries(way: string) {
  return [
    tool(`${way}Tool`, { description: 'A function' }, () => SECRET),
    prompt(`${way}Prompt`, { description: 'A function' }, () => SECRET),
    resource(`zoo://${way}/one`, { name: `${way}Resource` }, () => SECRET),
    resource(
      `zoo://${way}/of/{name}`,
      {
        name: `${way}Template`,
        input: Name,
        complete: { name: () => [SECRET] },
        list: () => [{ variables: { name: 'tom' }, name: SECRET }],
      },
      () => SECRET,
    ),
    view(`ui://zoo/${way}`, { name: `${way}View` }, () => page(SECRET)),
  ];
}

@Injectable()
class AddsEntries implements OnApplicationBootstrap {
  constructor(private readonly server: Server) {}

  onApplicationBootstrap(): void {
    for (const entry of entries('added')) this.server.registry.add(entry);
  }
}

function skillFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-guarded-'));
  mkdirSync(join(folder, 'feed'));
  writeFileSync(join(folder, 'feed', 'SKILL.md'), `---\nname: feed\ndescription: Feeds\n---\n${SECRET}\n`);
  return folder;
}

const WAYS: readonly { readonly providers: readonly Provider[]; readonly prepare?: (app: INestApplication) => void }[] =
  [
    { providers: [{ provide: APP_GUARD, useClass: KeepersOnly }] },
    { providers: [{ provide: APP_GUARD, useClass: KeepersOfRequest }] },
    { providers: [], prepare: (app) => app.useGlobalGuards(new KeepersOnly()) },
  ];

const folders = [skillFolder()];
for (const { providers, prepare } of WAYS) {
  class AppModule {}
  Module({
    imports: [
      SigilModule.forRoot({
        name: 'zoo',
        version: '1.0.0',
        logger: false,
        endpointGuards: [Identify],
        features: [BuiltBySigil, ...entries('function')],
        extensions: [apps(), tasks(), resultBudgets(), skills({ folders }), searchToolset({ always: () => true })],
      }),
    ],
    controllers: [InController],
    providers: [Methods, Asker, ForEachRequest, Overriding, AddsEntries, ...providers],
  })(AppModule);
  const adapter = process.argv[2] === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create<INestApplication>(AppModule, adapter, { logger: false, abortOnError: false });
  prepare?.(app);
  await app.listen(0, '127.0.0.1');
  process.stderr.write(`${await app.getUrl()}/mcp\n`);
}
