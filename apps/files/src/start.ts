/** `npm start`: the files and the history of a folder over HTTP, with commands to try. The folder has the sources of this example if none is named. */
import '@sigil-mcp/core/stdio/guard';
import { join, resolve } from 'node:path';
import { HttpTransport } from '@sigil-mcp/fastify';
import { filesServer } from './server';

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function start(): Promise<void> {
  const folder = resolve(process.argv[2] ?? join(__dirname, '..', 'src'));
  const transport = new HttpTransport();
  await filesServer(folder).listen(transport);
  const url = transport.url ?? '';
  process.stderr.write(`
The files of ${folder} are at ${url}. Press Ctrl+C to stop the server. In another terminal:

  npx sigil inspect ${url}
  npx sigil call ${url} findFiles text=git
  npx sigil read ${url} files:///package.json
  npx sigil call ${url} gitLog limit=3

`);
}
