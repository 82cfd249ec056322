/** The servers of this room, compiled. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { compileServer } from '../compile-server.mjs';

/** @returns what `servers.ts` exports */
export function loadServers() {
  const source = readFileSync(new URL('./servers.ts', import.meta.url), 'utf8');
  return createRequire(import.meta.url)(compileServer(`growth-${process.pid}`, source));
}
