/** Notifies the clients that subscribed to a file when it changes. */
import { watch, type FSWatcher } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { Injectable, Server, type OnStop } from '@sigil-mcp/core';
import { HIDDEN } from './inside';

/** One save causes several events; they are collected for this long, in milliseconds. */
const GATHERED = 100;
/** The number of folders that are watched; files beyond it can be read, but clients are not notified of their changes. */
const MOST = 2000;

/** The URI of a file, as in lists. */
export function uriOf(path: string): string {
  return `files:///${encodeURI(path)}`;
}

/** Built once per server; watches folder by folder, so that hidden folders cost nothing. */
@Injectable()
export class Watcher implements OnStop {
  readonly #watched = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly server: Server) {}

  /** Watches a folder and its subfolders; a folder that is already watched is left as it is. */
  async watch(root: string, folder: string = root): Promise<void> {
    if (this.#watched.has(folder) || this.#watched.size >= MOST) return;
    try {
      const watcher = watch(folder, { persistent: false });
      this.#watched.set(folder, watcher);
      watcher.on('change', (_event, name) => this.#note(root, join(folder, String(name))));
      watcher.on('error', () => this.#leave(folder));
    } catch {
      return; // the folder was removed, or the system cannot watch more folders: its files can still be read
    }
    await this.#watchWithin(root, folder);
  }

  onStop(): void {
    clearTimeout(this.#timer);
    for (const folder of [...this.#watched.keys()]) this.#leave(folder);
  }

  async #watchWithin(root: string, folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter((entry) => entry.isDirectory() && !HIDDEN.has(entry.name));
    for (const { name } of folders) await this.watch(root, join(folder, name));
  }

  #note(root: string, path: string): void {
    if (HIDDEN.has(basename(path))) return;
    this.#changed.add(relative(root, path).replaceAll(sep, '/'));
    this.#timer ??= setTimeout(() => this.#tell(), GATHERED).unref();
    // It may be a new folder; a file has no subfolders.
    this.#watchWithin(root, dirname(path)).catch(() => undefined);
  }

  #tell(): void {
    this.#timer = undefined;
    for (const path of this.#changed) this.server.notifyResourceChanged(uriOf(path));
    this.#changed.clear();
  }

  #leave(folder: string): void {
    this.#watched.get(folder)?.close();
    this.#watched.delete(folder);
  }
}
