/** Applications of tests, which end with their test. */
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Module, type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test, type TestingModule, type TestingModuleBuilder } from '@nestjs/testing';
import { NestFactory } from '@nestjs/core';
import { Server } from '@sigil-mcp/core';
import { SigilModule, type SigilModuleOptions } from '@sigil-mcp/nest';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** A module without HTTP, and its server. */
export async function openModule(
  metadata: ModuleMetadata,
  options: Partial<SigilModuleOptions> = {},
  change: (builder: TestingModuleBuilder) => TestingModuleBuilder = (builder) => builder,
): Promise<{ readonly module: TestingModule; readonly server: Server }> {
  const root = SigilModule.forRoot({ name: 'zoo', version: '1.0.0', logger: false, ...options });
  const builder = Test.createTestingModule({ ...metadata, imports: [...(metadata.imports ?? []), root] });
  const module = await change(builder).compile();
  module.useLogger(false);
  await module.init();
  opened.push(module);
  return { module, server: module.get(Server) };
}

export type Platform = 'express' | 'fastify';

export const PLATFORMS: readonly Platform[] = ['express', 'fastify'];

/** An application that listens on a port, as `main.ts` makes it. */
export async function openApplication(
  platform: Platform,
  metadata: ModuleMetadata,
  options: Partial<SigilModuleOptions> = {},
  prepare: (app: INestApplication) => void = () => undefined,
): Promise<{ readonly app: INestApplication; readonly url: string; readonly base: string }> {
  const root = SigilModule.forRoot({ name: 'zoo', version: '1.0.0', logger: false, ...options });
  class AppModule {}
  Module({ ...metadata, imports: [...(metadata.imports ?? []), root] })(AppModule);
  const adapter = platform === 'express' ? new ExpressAdapter() : new FastifyAdapter();
  const app = await NestFactory.create<INestApplication>(AppModule, adapter, { logger: false, abortOnError: false });
  prepare(app);
  const server = app.getHttpServer() as HttpServer;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await app.listen(0, '127.0.0.1');
  opened.push({
    async close() {
      const closing = app.close();
      // undici opens a connection in place of one that a client has aborted, and Node waits for it until the client gives it up.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      await closing;
    },
  });
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  return { app, base, url: `${base}/mcp` };
}
