/** `npm run conformance`: sets up the repository if necessary, then runs the official suite against apps/everything and the client. */
import { join } from 'node:path';
import { prepare, root, runScript } from './prepare.mjs';
import { runNode } from './run-command.mjs';

await runScript(async () => {
  await prepare();
  const server = await runNode(join(root, 'test', 'judges', 'conformance', 'run.mjs'), []);
  const client = await runNode(join(root, 'test', 'judges', 'conformance', 'run-client.mjs'), []);
  return server.code || client.code;
});
