/**
 * Loaded before a program that sigil runs: where the program only exports a Sigil server and does not put it on a transport,
 * it is put on stdin and stdout. So the file that defines a server can be inspected without its main file.
 */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { isJsonObject } from '../json-object';

/** As much of a server as is needed here; it may come from another copy of the framework. */
interface ExportedServer {
  readonly isListening: boolean;
  listen(transport: object): Promise<void>;
}

/** The module that a program begins with. */
interface MainModule {
  readonly filename: string;
  readonly exports: unknown;
}

/**
 * @param required the main module, where it is CommonJS
 * @param path of the program; an ES module is asked for what it exports, which is known once it has run
 * @returns undefined where the program failed, which Node tells
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

/** Puts the server on stdio that a module exports, if it does. Rejects where that fails. @returns whether it did */
export async function serveExported(main: MainModule | undefined): Promise<boolean> {
  const { exports } = main ?? {};
  const values = isJsonObject(exports) ? Object.values(exports) : [];
  const server = values.find(isServer);
  if (!main || !server || server.isListening) return false;
  const require = createRequire(main.filename);
  // The transport of the copy that the server came from.
  const { StdioTransport } = require('@sigil-mcp/core/stdio') as { StdioTransport: new () => object };
  await server.listen(new StdioTransport());
  return true;
}

function isServer(value: unknown): value is ExportedServer {
  return (
    typeof value === 'object' && value !== null && 'listen' in value && 'registry' in value && 'isListening' in value
  );
}
