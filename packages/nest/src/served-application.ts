/** The server in the life of an application: it listens when the application has started, and is drained before it shuts down. */
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { unawaited } from '@sigil-mcp/base';
import type { Server } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import type { HttpMount } from './http-mount';
import type { SigilModuleOptions } from './module-options';

/** Listens and closes with the application. */
export class ServedApplication implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly server: Server,
    private readonly options: SigilModuleOptions,
    private readonly mount: HttpMount,
  ) {
    if (options.http !== false) mount.placeEarly();
  }

  onModuleInit(): void {
    // By now every application has its platform.
    if (this.options.http !== false) this.mount.place();
  }

  async onApplicationBootstrap(): Promise<void> {
    const { stdio = false, http } = this.options;
    if (http !== false && this.mount.hasPlatform) await this.mount.open(this.server, this.options);
    if (stdio !== false) await this.#listenOnStdio(stdio === true ? {} : stdio);
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.server.close();
  }

  async #listenOnStdio(options: Exclude<SigilModuleOptions['stdio'], boolean | undefined>): Promise<void> {
    const input = options.input ?? process.stdin;
    // The process belongs to the application, whose providers want to be closed, too.
    await this.server.listen(new StdioTransport({ ...options, exit: false }));
    if (options.input === undefined) input.once('end', () => unawaited(this.#leave()));
  }

  /** The client is gone: the application ends as if it was asked to, and without hooks for that the process does. */
  async #leave(): Promise<void> {
    const failed = await this.server.close().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (failed) log.error('The server did not close cleanly', failed.error);
    if (!process.emit('SIGTERM', 'SIGTERM')) process.exit(0);
  }
}

const log = new Logger('MCP');
