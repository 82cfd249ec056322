/**
 * Builds packages and apps: the compiler first, then the bundles and the documentation that the command line brings with it.
 * `npm run build` (prepare.mjs) builds everything.
 */
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { isBundled } from './bundled.mjs';
import { isPackaged, writePackagedDocs } from './docs/packaged-docs.mjs';
import { allMembers } from './members.mjs';
import { pruneBuilt } from './prune-built.mjs';
import { runNode } from './run-command.mjs';
import { say, SetUpFailure } from './set-up-messages.mjs';

/** The compiler of the repository: the native one, in a tenth of the time of the one whose functions tools and tests use. */
export const compilerOf = (root) => join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');

/**
 * Builds what has changed; throws a SetUpFailure with the errors of the compiler.
 * @param root the top folder of the repository
 * @param members the folders of the members to build, with all that they need; everything if left out
 */
export async function build(root, members) {
  const built = members ?? allMembers(root);
  const options = { capture: true, cwd: root, onOutput: sayProjects() };
  const { code, output } = await runNode(compilerOf(root), ['-b', '--verbose', ...built], options);
  if (code !== 0) {
    const errors = output
      .split(/\r?\n/)
      .filter((line) => !/^(?:\[?\d\d?:\d\d:\d\d| {4}\* )/.test(line) && line.trim() !== '');
    throw new SetUpFailure(`${errors.join('\n')}\nThe build failed: fix the errors above (\`npm run build\`).`);
  }
  const stale = pruneBuilt(root);
  if (stale > 0) say(`removed ${stale} built files of deleted sources`);
  const packages = built.filter((folder) => folder.startsWith('packages/'));
  // Each published package has a copy of the licence.
  for (const folder of packages) copyFileSync(join(root, 'LICENSE'), join(root, folder, 'LICENSE'));
  if (!isBundled(root, packages)) {
    // Imported only after its dependencies are installed.
    const { bundlePackages } = await import('./bundle.mjs');
    const bundled = await bundlePackages(root, packages);
    if (bundled > 0) say(`bundled the libraries (${bundled} files have changed)`);
  }
  if (built.includes('packages/cli') && !isPackaged(root)) await writePackagedDocs(root);
}

/** Reads the compiler's output in pieces, and reports each project as it begins. */
function sayProjects() {
  let line = '';
  return (text) => {
    const lines = (line + text).split('\n');
    line = lines.pop();
    for (const whole of lines) {
      const [, folder] = /Building project '[^']*?((?:packages|apps)\/[^/']+)\/tsconfig\.json'/.exec(whole) ?? [];
      if (folder !== undefined) say(`building ${folder}`);
    }
  };
}
