/** Starts the programs of platforms that are not Node. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compileFixtures } from '../../support/compile-fixture';
import { freePort } from '../../support/free-port';
import { platformProgram } from '../../support/supplies/platforms';
import { until } from '../../support/until';
import { sigil } from '../e2e/terminal';
import type { OpenPlatform } from './platform-specs';

/** Bundles a fixture as `sigil build --target worker` does. Returns the file, in this folder. */
export async function bundleWorker(fixture: string, folder: string): Promise<string> {
  const out = join(folder, 'worker.mjs');
  const entry = join(compileFixtures(join(__dirname, 'fixtures')), `${fixture}.js`);
  const { status, stderr } = await sigil(['build', entry, '--target', 'worker', '--out', out]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return out;
}

/** What a program is started with. */
export interface Start {
  readonly program: string;
  readonly words: readonly string[];
  readonly folder: string;
  readonly port: number;
}

/** Runs a program until it answers. */
export async function run({ program, words, folder, port }: Start): Promise<OpenPlatform> {
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

/** Durable Objects of one class, whose storage is a folder beside the Worker. */
export interface BoundObjects {
  readonly className: string;
  readonly binding: string;
  readonly disk: string;
}

/** Runs a Worker, with nothing but the flag that Node's modules need, and with Durable Objects if they are named. */
export async function runWorkerd(
  file: string,
  { objects }: { readonly objects?: BoundObjects } = {},
): Promise<OpenPlatform> {
  const port = await freePort();
  const config = `${file}.${port}.capnp`;
  const bound = objects
    ? `, durableObjectNamespaces = [(className = "${objects.className}", uniqueKey = "tested", enableSql = true)],
    durableObjectStorage = (localDisk = "disk"),
    bindings = [(name = "${objects.binding}", durableObjectNamespace = "${objects.className}")]`
    : '';
  const disk = objects ? `, (name = "disk", disk = (path = "${objects.disk}", writable = true))` : '';
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [(name = "worker.mjs", esModule = embed "${basename(file)}")],
    compatibilityDate = "2025-09-15", compatibilityFlags = ["nodejs_compat"]${bound}))${disk}],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]);`,
  );
  return run({ program: platformProgram('workerd'), words: ['serve', config], folder: dirname(file), port });
}
