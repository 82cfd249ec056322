/** The runtimes that are not Node, as npm brings them: workerd, which runs Cloudflare Workers, Deno and Bun. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { compileFixtures } from '../../support/compile-fixture';
import { freePort } from '../../support/free-port';
import { platformProgram } from '../../support/supplies/platforms';
import { describeWith } from '../../support/supplies/supply';
import { until } from '../../support/until';
import { sigil } from '../e2e/terminal';
import { describePlatform, type OpenPlatform } from './platform-specs';

jest.setTimeout(60_000);

const folder = mkdtempSync(join(tmpdir(), 'sigil-platforms-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let bundle: string;
/** What every platform here runs: the file that `sigil build --target worker` makes. */
async function bundled(): Promise<string> {
  if (bundle) return bundle;
  const out = join(folder, 'worker.mjs');
  const entry = join(compileFixtures(join(__dirname, 'fixtures')), 'worker.js');
  const { status, stderr } = await sigil(['build', entry, '--target', 'worker', '--out', out]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return (bundle = out);
}

/** Runs a program until it answers. */
async function run(program: string, words: readonly string[], port: number): Promise<OpenPlatform> {
  const env = { ...process.env, PORT: `${port}` };
  const child = spawn(program, words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', (text) => (said += String(text)));
  child.stderr.on('data', (text) => (said += String(text)));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}/mcp`;
  const answers = (): Promise<boolean> => fetch(url).then(() => true, () => false); // prettier-ignore
  await until(async () => child.exitCode !== null || (await answers()));
  if (child.exitCode !== null) throw new Error(said);
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { url, close };
}

/** A Worker, with nothing but the flag that Node's modules need. */
async function runWorkerd(file: string): Promise<OpenPlatform> {
  const port = await freePort();
  const config = `${file}.capnp`;
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "${basename(file)}")],
    compatibilityDate = "2025-09-15", compatibilityFlags = ["nodejs_compat"]))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);`,
  );
  return run(platformProgram('workerd'), ['serve', config], port);
}

async function runDeno(): Promise<OpenPlatform> {
  const file = await bundled();
  const port = await freePort();
  const words = ['serve', '--allow-env', '--host', '127.0.0.1', '--port', `${port}`, file];
  return run(platformProgram('deno'), words, port);
}

async function runBun(): Promise<OpenPlatform> {
  const file = await bundled();
  return run(platformProgram('bun'), ['run', file], await freePort());
}

/** The source itself, with the options that its compiler reads. */
async function runBunSource(): Promise<OpenPlatform> {
  const source = join(__dirname, 'fixtures');
  const options = { experimentalDecorators: true, emitDecoratorMetadata: true };
  const tsconfig = join(folder, 'tsconfig.json');
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions: options }));
  return run(
    platformProgram('bun'),
    ['run', `--tsconfig-override=${tsconfig}`, join(source, 'worker.ts')],
    await freePort(),
  );
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
      const built = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'build', 'worker-modules.js');
      const { MISSING } = createRequire(__filename)(built) as { readonly MISSING: ReadonlySet<string> };
      const replaced = [...MISSING].filter((name) => names.includes(name));
      expect([...new Set(missing)].sort()).toEqual(replaced.sort());
    });
  });
  describe('Deno', () => describePlatform(runDeno));
  describe('Bun', () => describePlatform(runBun));
  describe('Bun with the source', () => describePlatform(runBunSource));
});
