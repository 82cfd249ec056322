/** The folders that a call may read: the folder of the command line, or else the roots of the client. */
import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Injectable, type McpContext, type OnStart, ToolFailure } from '@sigil-mcp/core';
import { findInside, type Found } from './inside';
import { Watcher } from './watcher';

/** The folder of the command line, as a class so that it can be injected. */
export class StartFolder {
  constructor(readonly path: string | undefined) {}
}

/** Built once per server. */
@Injectable()
export class Folders implements OnStart {
  /** The folder of the command line, which is known without a client. */
  atStart: string | undefined;

  constructor(
    private readonly start: StartFolder,
    private readonly watcher: Watcher,
  ) {}

  async onStart(): Promise<void> {
    if (this.start.path === undefined) return;
    this.atStart = await realpath(this.start.path);
    await this.watcher.watch(this.atStart);
  }

  /** @returns real paths, at least one. @throws ToolFailure if there is neither a folder on the command line nor a root */
  async of(context: McpContext): Promise<readonly string[]> {
    if (this.atStart !== undefined) return [this.atStart];
    const roots = context.client.capabilities.roots ? await context.roots() : [];
    const local = roots.filter(({ uri }) => uri.startsWith('file:///')).map(({ uri }) => fileURLToPath(uri));
    const found = await Promise.all(local.map((path) => realpath(path).catch(() => [])));
    const folders = found.flat();
    if (folders.length === 0)
      throw new ToolFailure(
        'There is no folder to look into. Open one in your application, or start this server with one.',
      );
    await Promise.all(folders.map((folder) => this.watcher.watch(folder)));
    return folders;
  }

  /** Finds a path in the first folder that has it. */
  async find(path: string, context: McpContext): Promise<Found> {
    const found = await Promise.all((await this.of(context)).map((folder) => findInside(folder, path)));
    return found.find((each) => !('refused' in each)) ?? found[0] ?? { refused: `There is no "${path}".` };
  }
}
