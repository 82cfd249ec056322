/** Calls a function of `scripts/`, which are modules of Node that jest does not load: in a process of its own. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const scripts = join(__dirname, '..', '..', '..', 'scripts');

/** What an exported function of `scripts/<file>` returns for these arguments, as JSON; a map as its entries. */
export function callScript(file: string, name: string, ...args: readonly unknown[]): unknown {
  const url = pathToFileURL(join(scripts, file)).href;
  const code = `
    import { ${name} } from ${JSON.stringify(url)};
    const result = await ${name}(...${JSON.stringify(args)});
    process.stdout.write(JSON.stringify(result instanceof Map ? [...result] : result));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as unknown;
}
