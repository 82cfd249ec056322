/**
 * Loaded before a program whose server is described: writes what the server offers to a file when it is about to start, or when the program
 * has loaded and exports one, and ends the process. No provider is built, and no port is opened.
 */
import { subscribe } from 'node:diagnostics_channel';
import { writeNewFile } from '../new-file';
import { exportedServer, findMainModule, type ExportedServer } from '../targets/serve-exported';

/** The environment variable with the path of the file. */
const FILE = 'sigil_description_file';
/** The channel on which `@sigil-mcp/core` announces each server that is about to start. */
const LISTENING = 'sigil:server:listen';

type DescribableServer = Pick<ExportedServer, 'describe'>;

subscribe(LISTENING, (message) => {
  const { server } = message as { readonly server: DescribableServer };
  finish(server);
});

// `require.main` is set when the program runs.
setImmediate(() => {
  findMainModule(process.mainModule, process.argv[1])
    .then((main) => {
      const server = exportedServer(main);
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
  writeNewFile(process.env[FILE] ?? '', JSON.stringify(server.describe()));
  process.exit(0);
}
