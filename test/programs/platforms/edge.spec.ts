/** The runtimes that are not Node, as npm brings them: workerd, which runs Cloudflare Workers, Deno and Bun. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { platformProgram } from '../../support/supplies/platforms';
import { describeWith } from '../../support/supplies/supply';
import { describePlatform, type OpenPlatform } from './platform-specs';
import { bundleWorker, run, runWorkerd } from './run-platform';

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), 'sigil-platforms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let bundle: Promise<string> | undefined;
/** What every platform here runs: the file that `sigil build --target worker` makes. */
const bundled = (): Promise<string> => (bundle ??= bundleWorker('worker', folder));

async function runDeno(): Promise<OpenPlatform> {
  const file = await bundled();
  const port = await freePort();
  const words = ['serve', '--allow-env', '--host', '127.0.0.1', '--port', `${port}`, file];
  return run({ program: platformProgram('deno'), words, folder, port });
}

async function runBun(): Promise<OpenPlatform> {
  const file = await bundled();
  return run({ program: platformProgram('bun'), words: ['run', file], folder, port: await freePort() });
}

/** The source itself, with the options that its compiler reads. */
async function runBunSource(): Promise<OpenPlatform> {
  const source = join(__dirname, 'fixtures');
  const options = { experimentalDecorators: true, emitDecoratorMetadata: true };
  const tsconfig = join(folder, 'tsconfig.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions: options }));
  const words = ['run', `--tsconfig-override=${tsconfig}`, join(source, 'worker.ts')];
  return run({ program: platformProgram('bun'), words, folder, port: await freePort() });
}

describeWith('platforms', 'the runtimes', () => {
  describe('workerd', () => {
    describePlatform(async () => runWorkerd(await bundled()));

    it('lacks the modules of Node that a bundle for it replaces, and no others', async () => {
      const file = join(folder, 'modules.mjs');
      const names = builtinModules.filter((name) => !name.startsWith('_'));
      writeFileSync(
        file,
        `const missing = [];
export default { async fetch() {
${names.map((name) => `try { await import('node:${name}'); } catch { missing.push('${name}'); }`).join('\n')}
return Response.json(missing); } };`,
      );
      const platform = await runWorkerd(file);
      const missing = (await (await fetch(platform.url)).json()) as string[];
      await platform.close();
      const built = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'build', 'bundle.js');
      const { MISSING } = createRequire(__filename)(built) as { readonly MISSING: ReadonlySet<string> };
      const replaced = [...MISSING].filter((name) => names.includes(name));
      expect([...new Set(missing)].sort()).toEqual(replaced.sort());
    });
  });
  describe('Deno', () => describePlatform(runDeno));
  describe('Bun', () => describePlatform(runBun));
  describe('Bun with the source', () => describePlatform(runBunSource));
});
