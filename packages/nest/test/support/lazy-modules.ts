/** Applications that load modules while they run. */
import { Module, type DynamicModule, type INestApplication, type ModuleMetadata, type Type } from '@nestjs/common';
import { LazyModuleLoader, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { SigilModule } from '@sigil-mcp/nest';
import type { TestClient } from '@sigil-mcp/testing';

export function module(metadata: ModuleMetadata, name: string): Type {
  const made = { [name]: class {} }[name] as Type;
  Module(metadata)(made);
  return made;
}

export const load = (app: Pick<INestApplication, 'get'>, loaded: Type | DynamicModule): Promise<unknown> =>
  app.get(LazyModuleLoader).load(() => loaded, { logger: false });

export const server = (name: string): DynamicModule =>
  SigilModule.forRoot({ name, version: '1.0.0', logger: false, path: `/${name}` });

export async function namesOf(client: TestClient): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

const opened: INestApplication[] = [];
afterEach(async () => {
  for (const app of opened.splice(0)) await app.close();
});

/** An application that listens, as modules and the providers of its root make it. */
export async function openModules(
  imports: NonNullable<ModuleMetadata['imports']>,
  providers: NonNullable<ModuleMetadata['providers']> = [],
): Promise<INestApplication> {
  const options = { logger: false, abortOnError: false } as const;
  const root = module({ imports, providers }, 'App');
  const app = await NestFactory.create<INestApplication>(root, new ExpressAdapter(), options);
  opened.push(app);
  await app.listen(0, '127.0.0.1');
  return app;
}
