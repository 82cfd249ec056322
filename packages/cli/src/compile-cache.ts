/** Stores what V8 compiles of the command for its next run, which then starts faster. For Node 22.8 and newer; others compile each time. */
import * as nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What a newer Node has, and Node 20 does not. */
export interface CompilingNode {
  /**
   * Never throws, and prints nothing: a folder that cannot be written leaves everything as it is.
   * @see https://nodejs.org/api/module.html#moduleenablecompilecachecachedir
   */
  enableCompileCache?(folder: string): unknown;
}

/** Where a user's caches are. */
export interface CacheOwner {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  /** @throws where the user has no home */
  readonly home: () => string;
}

const SELF: CacheOwner = { platform: process.platform, env: process.env, home: homedir };

/**
 * Turns the cache on, in a folder of the user: in the shared folder for temporary files, another user could store other code.
 * `NODE_COMPILE_CACHE` names another folder, and `NODE_DISABLE_COMPILE_CACHE=1` turns the cache off; Node reads both.
 * @param node the module `node:module`
 * @param owner of the cache
 */
export function openCompileCache(node: CompilingNode = nodeModule as CompilingNode, owner = SELF): void {
  if (!node.enableCompileCache) return;
  const folder = folderOf(owner);
  if (folder !== undefined) node.enableCompileCache(folder);
}

/** The folder of the cache; undefined where the user has no home. */
function folderOf({ platform, env, home }: CacheOwner): string | undefined {
  try {
    return join(cachesOf(platform, env, home), 'sigil', 'compile-cache');
  } catch {
    return undefined;
  }
}

function cachesOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv, home: () => string): string {
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(home(), 'AppData', 'Local');
  if (platform === 'darwin') return join(home(), 'Library', 'Caches');
  return env['XDG_CACHE_HOME'] || join(home(), '.cache');
}
