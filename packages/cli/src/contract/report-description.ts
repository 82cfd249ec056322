/**
 * Loaded before a program whose server is described: writes what the server offers to a file when it is about to start, or when the program
 * has loaded and exports one, and ends the process. No provider is built, and no port is opened.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { isObject } from '@sigil-mcp/base';
import { findMainModule } from '../targets/serve-exported';

/** The environment variable with the path of the file. */
const FILE = 'sigil_description_file';
/** The channel on which `@sigil-mcp/core` announces each server that is about to start. */
const LISTENING = 'sigil:server:listen';

/** The part of a server that is needed here; the server may come from another copy of the framework. */
interface DescribableServer {
  describe(): object;
}

subscribe(LISTENING, (message) => {
  const { server } = message as { readonly server: DescribableServer };
  finish(server);
});

// `require.main` is set when the program runs.
setImmediate(() => {
  findMainModule(process.mainModule, process.argv[1])
    .then((main) => {
      const exported = isObject(main?.exports) ? Object.values(main.exports) : [];
      const server = exported.find(isDescribable);
      if (server) finish(server);
    })
    .catch((error: unknown) => {
      // Uncaught, Node reports it.
      setImmediate(() => {
        throw error;
      });
    });
});

function finish(server: DescribableServer): void {
  writeFileSync(process.env[FILE] ?? '', JSON.stringify(server.describe()));
  process.exit(0);
}

function isDescribable(value: unknown): value is DescribableServer {
  return typeof value === 'object' && value !== null && 'describe' in value && 'listen' in value && 'registry' in value;
}
