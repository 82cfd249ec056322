/** `npm start`: sets up what is missing, then lets the weather server show itself over stdio. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { runNode } from './run-command.mjs';

const demonstration = join(root, 'apps', 'weather', 'dist', 'demo.js');

await runScript(async () => {
  await prepare();
  if (!existsSync(demonstration)) throw new SetUpFailure('The build left no apps/weather/dist/demo.js to run.');
  const { code } = await runNode(demonstration, process.argv.slice(2));
  return code;
});
