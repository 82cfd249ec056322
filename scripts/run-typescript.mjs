/**
 * Runs a TypeScript program of the tests with the built packages: `node scripts/run-typescript.mjs test/endurance/fuzz/run.ts`.
 * The other arguments are passed to the program.
 */
import { join } from 'node:path';
import { prepare, root, runScript } from './prepare.mjs';
import { runNode } from './run-command.mjs';

await runScript(async () => {
  await prepare();
  const [program, ...rest] = process.argv.slice(2);
  const register = join(root, 'node_modules', 'esbuild-register', 'register.js');
  const { code } = await runNode('--require', [register, join(root, program), ...rest], { cwd: root });
  return code;
});
