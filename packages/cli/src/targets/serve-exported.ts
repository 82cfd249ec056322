/**
 * Loaded before a program that sigil runs. If the program only exports a Sigil server without a transport, this module serves it
 * on stdin and stdout. So the file that defines a server can be inspected without its main file.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isObject } from '@sigil-mcp/base';

/** The part of a server that is needed here; the server may come from another copy of the framework. */
export interface ExportedServer {
  readonly isListening: boolean;
  describe(): object;
  listen(transport: object): Promise<void>;
}

/** The entry module of a program. */
interface MainModule {
  readonly filename: string;
  readonly exports: unknown;
}

/**
 * @param required the main module, if it is CommonJS
 * @param path of the program; the exports of an ES module are read after it has run
 * @returns undefined if the program failed, which Node reports
 */
export async function findMainModule(
  required: MainModule | undefined,
  path: string | undefined,
): Promise<MainModule | undefined> {
  if (required || path === undefined) return required;
  try {
    const filename = realpathSync(path);
    return { filename, exports: await import(pathToFileURL(filename).href) };
  } catch {
    return undefined;
  }
}

/** The server that a module exports, if it does. */
export function exportedServer(main: MainModule | undefined): ExportedServer | undefined {
  const { exports } = main ?? {};
  return isObject(exports) ? Object.values(exports).find(isServer) : undefined;
}

/** Serves the server that a module exports on stdio. Rejects if that fails. @returns whether the module exports a server */
export async function serveExported(main: MainModule | undefined): Promise<boolean> {
  const server = exportedServer(main);
  if (!main || !server || server.isListening) return false;
  const require = createRequire(main.filename);
  // The transport has to come from the same copy as the server.
  const { StdioTransport } = require('@sigil-mcp/core/stdio') as { StdioTransport: new () => object };
  await server.listen(new StdioTransport());
  return true;
}

function isServer(value: unknown): value is ExportedServer {
  return (
    typeof value === 'object' && value !== null && 'listen' in value && 'registry' in value && 'isListening' in value
  );
}
