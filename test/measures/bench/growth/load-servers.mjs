/** The servers of this room, compiled. */
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileServer } from '../compile-server.mjs';

/** @returns what `servers.ts` exports */
export function loadServers() {
  const source = readFileSync(new URL('./servers.ts', import.meta.url), 'utf8');
  // Processes that start at the same time have a file each.
  const path = compileServer(`growth-${process.pid}`, source);
  const servers = createRequire(import.meta.url)(path);
  rmSync(path);
  return servers;
}
