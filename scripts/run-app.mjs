/**
 * `npm start`, `npm run demo`: installs and builds what an app needs, where it is missing, then runs a program of the app:
 * `run-app.mjs weather start`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { runNode } from './run-command.mjs';

const [app = '', program = '', ...args] = process.argv.slice(2);
const built = join('apps', app, 'dist', `${program}.js`);

await runScript(async () => {
  await prepare([`apps/${app}`]);
  if (!existsSync(join(root, built))) throw new SetUpFailure(`The build did not write ${built}.`);
  const { code } = await runNode(join(root, built), args);
  return code;
});
