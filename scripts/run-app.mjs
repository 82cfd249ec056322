/** `npm start`, `npm run demo`: sets up the repository if necessary, then runs a program of an app: `run-app.mjs weather start`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { runNode } from './run-command.mjs';

const [app = '', program = '', ...args] = process.argv.slice(2);
const built = join('apps', app, 'dist', `${program}.js`);

await runScript(async () => {
  await prepare();
  if (!existsSync(join(root, built))) throw new SetUpFailure(`The build did not write ${built}.`);
  const { code } = await runNode(join(root, built), args);
  return code;
});
