/** An application with a server, as a program: over stdio, or on a port of Express that it writes to stderr. */
import { Inject, Injectable, Module, Scope, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { Feature, McpContext, Tool } from '@sigil-mcp/core';
import { McpExecutionContext, SigilModule, type McpRequest } from '@sigil-mcp/nest';
import { IsBoolean, IsString } from 'class-validator';

class Name {
  @IsString() name!: string;
}
class Sure {
  @IsBoolean() sure!: boolean;
}

@Injectable()
class Cats {
  onModuleDestroy(): void {
    process.stderr.write('closed\n');
  }

  find(name: string): string {
    console.log(`looking for ${name}`);
    return `${name} purrs`;
  }
}

@Injectable({ scope: Scope.REQUEST })
class Asker {
  constructor(@Inject(REQUEST) readonly request: McpRequest) {}
}

class NotEve implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return McpExecutionContext.create(context).getData<Name>().name !== 'Eve';
  }
}

@Feature()
class CatsFeature {
  constructor(private readonly cats: Cats) {}

  @Tool('Finds a cat')
  @UseGuards(NotEve)
  find({ name }: Name): string {
    return this.cats.find(name);
  }

  @Tool('Deletes a cat')
  async remove(context: McpContext): Promise<string> {
    const answer = await context.elicit(Sure, 'Really?');
    return answer.action === 'accept' && answer.content.sure ? 'deleted' : 'kept';
  }
}

@Feature()
class AskerFeature {
  constructor(private readonly asker: Asker) {}

  @Tool('Tells the tenant')
  tenant(): string {
    return String(this.asker.request.headers['x-tenant'] ?? 'none');
  }
}

const isStdio = process.argv[2] === 'stdio';

@Module({
  imports: [SigilModule.forRoot({ name: 'zoo', version: '1.0.0', stdio: isStdio })],
  providers: [Cats, Asker, CatsFeature, AskerFeature],
})
class AppModule {}

if (isStdio) {
  const app = await NestFactory.createApplicationContext(AppModule);
  app.enableShutdownHooks();
} else {
  const app = await NestFactory.create(AppModule);
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  process.stderr.write(`${await app.getUrl()}/mcp\n`);
}
