/** `sigil pack`: a server as an MCPB bundle, which was unpacked and started before it counts. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import {
  ownFiles,
  bundleServer,
  commandFailures,
  compileApart,
  readEnvExample,
  type ExampleVariable,
  type LeftOut,
  type ProgramTarget,
  type Shell,
} from '@sigil-mcp/cli/kit';
import { failure } from './errors';
import { checkFacts, writeManifest } from './manifest';
import { readPackageFacts } from './package-facts';
import { nativeNames, packedFiles, SERVER_FOLDER } from './packed-server';
import { bareEnvironment, checkPacked, meet, type SeenServer } from './started-server';
import { unzip, zip, type ArchivedFiles } from './zip';

/** What is packed. */
export interface PackOrder {
  readonly shell: Shell;
  /** The file that starts the server. */
  readonly entry: string;
  readonly folder: string;
  readonly esm: boolean;
  readonly external: readonly string[];
  /** The path of the bundle; named after the package in the folder if left out. */
  readonly outfile: string | undefined;
  readonly signal: AbortSignal;
  /** Reports what is being done. */
  readonly during: <Result>(what: string, work: () => Promise<Result>) => Promise<Result>;
}

/** A finished bundle. */
export interface PackedBundle {
  readonly path: string;
  readonly bytes: number;
  readonly files: readonly string[];
  /** What is no part of the program, by paths in the project. */
  readonly left: readonly LeftOut[];
  readonly seen: SeenServer;
  /** The variables that an application asks for. */
  readonly variables: readonly ExampleVariable[];
  /** The only system that it runs on, because of these packages. */
  readonly native: readonly string[];
}

/** @throws CliFailure before anything is written, unless the bundle starts and is the same server */
export async function packServer(order: PackOrder): Promise<PackedBundle> {
  const { shell, entry, folder, signal, during } = order;
  const facts = readPackageFacts(folder);
  checkFacts(facts);
  const compiled = /\.[cm]?ts$/.test(entry)
    ? await during('Compiling', () => compileApart(shell, entry, signal))
    : entry;
  const main = `${basename(entry, extname(entry))}.${order.esm ? 'mjs' : 'cjs'}`;
  const made = await during('Bundling', () =>
    bundleServer({
      // Not written there, but relative paths in the bundle are the same each time.
      ...{ folder, entry: compiled, outfile: join(folder, 'bundle', main) },
      ...{ esm: order.esm, entryIsModule: order.esm, external: order.external, target: 'node' },
    }),
  );
  const variables = readEnvExample(folder);
  const env = bareEnvironment(shell.env, valuesFor(shell.env, variables));
  const started = { args: [compiled], label: entry, cwd: folder, env };
  const original: ProgramTarget = { kind: 'command', command: process.execPath, ...started };
  const seen = await during('Starting the server', () => meet(shell, original));
  checkVersion(facts.version, seen);
  const native = nativeNames(made);
  const icon = existsSync(join(folder, 'icon.png')) ? 'icon.png' : undefined;
  const platforms = native.length > 0 ? [process.platform] : [];
  const manifest = writeManifest({ facts, seen, variables, main, platforms, icon });
  const { files, left } = packedFiles(made, folder);
  files.set('manifest.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`));
  for (const name of [icon, 'LICENSE']) addOwnFile(files, name, folder);
  const archive = zip(files);
  const path = order.outfile ?? join(folder, `${String(manifest['name'])}-${facts.version}.mcpb`);
  await during('Starting it from an empty folder', () =>
    checkUnpacked(unzip(archive), { shell, main, env, seen, path }),
  );
  write(path, archive, folder);
  const asked = variables.filter(({ isOptional }) => !isOptional);
  return { path, bytes: archive.length, files: [...files.keys()].sort(), left, seen, variables: asked, native };
}

function addOwnFile(files: Map<string, Uint8Array>, name: string | undefined, folder: string): void {
  if (name === undefined || !existsSync(join(folder, name))) return;
  ownFiles.checkOwn(join(folder, name), folder);
  files.set(name, readFileSync(join(folder, name)));
}

/** @throws CliFailure if the server says another version than package.json */
export function checkVersion(version: string | undefined, { server }: SeenServer): void {
  if (version !== undefined && server?.version !== version)
    throw failure('SIGIL_PACK_VERSION', { version, said: String(server?.version) });
}

/** Values for a server that is only looked at: those of this environment, of the example, or placeholders. */
export function valuesFor(env: NodeJS.ProcessEnv, variables: readonly ExampleVariable[]): Record<string, string> {
  return Object.fromEntries(
    variables.flatMap(({ name, value, isOptional }) =>
      isOptional ? [] : [[name, env[name] ?? (value === '' ? 'placeholder' : value)]],
    ),
  );
}

interface Unpacked {
  readonly shell: Shell;
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  readonly seen: SeenServer;
  readonly path: string;
}

async function checkUnpacked(
  files: ArchivedFiles,
  { shell, main, env, seen: original, path }: Unpacked,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-unpacked-')));
  try {
    for (const [name, content] of files) {
      ownFiles.writeNew(join(folder, name), content);
    }
    const args = [join(folder, SERVER_FOLDER, main)];
    const label = `${SERVER_FOLDER}/${main} of ${basename(path)}`;
    const target = { kind: 'command', command: process.execPath, args, label, cwd: folder, env } as const;
    await checkPacked(shell, target, { original, what: label });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(path: string, archive: Buffer, within: string): void {
  try {
    ownFiles.write([{ path, contents: archive }], { within });
  } catch (error) {
    throw ownFiles.failure(error, (reason) => commandFailures.failure('SIGIL_BUILD_WRITE', { file: path, reason }));
  }
}
