/**
 * Loaded before a program that sigil runs: where the program only exports a Sigil server and does not put it on a transport,
 * it is put on stdin and stdout. So the file that defines a server can be looked at, whatever its main does.
 */
import { report } from '../terminal/outlet';
import { createRequire } from 'node:module';
import { isJsonObject } from '../json-object';

/** As much of a server as is needed here; it may come from another copy of the framework. */
interface ExportedServer {
  readonly isListening: boolean;
  listen(transport: object): Promise<void>;
}

/** Puts the server on stdio that a module exports, if it does. @returns whether it did */
export function serveExported(main: { readonly filename: string; readonly exports: unknown } | undefined): boolean {
  const { exports } = main ?? {};
  const values = isJsonObject(exports) ? Object.values(exports) : [];
  const server = values.find(isServer);
  if (!main || !server || server.isListening) return false;
  const require = createRequire(main.filename);
  // The transport of the copy that the server came from.
  const { StdioTransport } = require('@sigil-mcp/core/stdio') as { StdioTransport: new () => object };
  server.listen(new StdioTransport()).catch((error: unknown) => {
    // Its program would have ended with it.
    report(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  });
  return true;
}

function isServer(value: unknown): value is ExportedServer {
  return (
    typeof value === 'object' && value !== null && 'listen' in value && 'registry' in value && 'isListening' in value
  );
}
