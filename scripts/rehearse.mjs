/**
 * `npm run rehearse`: the first release, on this machine alone. Publishes all packages by the script of the workflow to a registry on
 * 127.0.0.1, then creates and starts projects from it in empty folders, with npm, pnpm, yarn and bun.
 * `npm run rehearse -- npm pnpm` takes these package managers only. Packages of others come from the registry that npm is set to.
 */
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { prepare, root, runScript, say, SetUpFailure } from './prepare.mjs';
import { runCommand, runNode } from './run-command.mjs';

const supplies = join(root, '.sigil', 'registry', 'node_modules');
const MANAGERS = ['npm', 'pnpm', 'yarn', 'bun'];
/** Milliseconds for the registry to start. */
const PATIENCE = 30_000;
/** Every revision that a new server has to speak. */
const REVISIONS = 5;
/** How yarn says that a registry lacks a package of others, such as a binary for another platform: a mirror may have only some. */
const LACKING = /Couldn't find any versions for\s+\\?"([^"\\]+)/;
const shell = process.platform === 'win32';

await runScript(async () => {
  await prepare();
  const managers = process.argv.slice(2).length > 0 ? process.argv.slice(2) : MANAGERS;
  const unknown = managers.filter((name) => !MANAGERS.includes(name));
  if (unknown.length > 0) throw new SetUpFailure(`There is no package manager ${unknown.join(', ')}.`);
  if (!existsSync(join(supplies, 'verdaccio')))
    throw new SetUpFailure('The registry for the rehearsal is not installed: run npm run registry first.');
  const folder = mkdtempSync(join(tmpdir(), 'sigil-release-'));
  const registry = await startRegistry(folder);
  try {
    const env = environment(folder, registry.url);
    await publish(folder, env);
    await runPublished(folder, env);
    const working = [];
    for (const manager of managers) if (await createWith(manager, folder, env)) working.push(manager);
    say(`the release works with ${working.join(', ')}`);
    return 0;
  } finally {
    registry.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** Nothing of the user's own settings and caches, but for the registry of packages of others. */
function environment(folder, url) {
  const home = join(folder, 'home');
  mkdirSync(home);
  // npm sends no packages without a token; the registry accepts any.
  const settings = `registry=${url}/\n//${new URL(url).host}/:_authToken=rehearsal\n`;
  writeFileSync(join(home, '.npmrc'), settings);
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  return {
    ...Object.fromEntries(own),
    ...{ HOME: home, USERPROFILE: home, CI: '1', NO_COLOR: '1' },
    ...{
      npm_config_registry: `${url}/`,
      npm_config_userconfig: join(home, '.npmrc'),
      npm_config_cache: join(home, 'npm'),
    },
    ...{
      npm_config_provenance: 'false',
      npm_config_access: 'public',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
    },
    ...{ YARN_REGISTRY: `${url}/`, YARN_CACHE_FOLDER: join(home, 'yarn'), BUN_CONFIG_REGISTRY: `${url}/` },
    PATH: `${join(supplies, '.bin')}${delimiter}${process.env.PATH}`,
  };
}

async function startRegistry(folder) {
  const port = await freePort();
  const { output } = await runCommand('npm', ['config', 'get', 'registry'], { capture: true, shell });
  const above = output.trim().split('\n').at(-1);
  const settings = {
    storage: join(folder, 'storage'),
    uplinks: { above: { url: above, timeout: '60s', maxage: '60m' } },
    packages: {
      '@sigil-mcp/*': { access: '$all', publish: '$all' },
      '**': { access: '$all', proxy: 'above' },
    },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'pretty', level: 'error' },
  };
  // JSON is YAML as well.
  const config = join(folder, 'verdaccio.yaml');
  writeFileSync(config, JSON.stringify(settings));
  const program = join(supplies, 'verdaccio', 'bin', 'verdaccio');
  const child = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await answered(`${url}/-/ping`, child);
  say(`a registry runs on ${url}`);
  return { url, stop: () => child.kill() };
}

async function answered(url, child) {
  const end = Date.now() + PATIENCE;
  while (Date.now() < end && child.exitCode === null) {
    const reply = await fetch(url).catch(() => undefined);
    if (reply?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.kill();
  throw new SetUpFailure('The registry did not start.');
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Publishes a copy of the last commit with what is built: the script writes into package.json and resets it with git. */
async function publish(folder, env) {
  const copy = join(folder, 'copy');
  await must('git', ['clone', '--quiet', '--local', root, copy], { env });
  for (const name of readdirSync(join(copy, 'packages'))) {
    const built = join(root, 'packages', name, 'dist');
    if (existsSync(built)) cpSync(built, join(copy, 'packages', name, 'dist'), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  copyFileSync(join(root, 'package.json'), join(copy, 'package.json'));
  await must(
    'git',
    ['-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '--quiet', '--all', '--allow-empty', '-m', 'x'],
    {
      cwd: copy,
      env,
    },
  );
  await must('npm', ['run', 'release', '--silent'], { cwd: copy, env, shell });
  say('all packages are published');
}

/** The command, without a project. */
async function runPublished(folder, env) {
  const cwd = emptyFolder(folder, 'npx');
  await must('npx', ['--yes', '@sigil-mcp/cli', '--version'], { cwd, env, shell });
  say('npx @sigil-mcp/cli works');
}

/** A new project, as the README will say, whose server is started. @returns false if packages of others are missing */
async function createWith(manager, folder, env) {
  const cwd = emptyFolder(folder, manager);
  const began = Date.now();
  const words = ['my-server', '--yes', '--no-git', '--package-manager', manager];
  const create = ['create', '--yes', '@sigil-mcp@latest', ...words.slice(0, 1), '--', ...words.slice(1)];
  const created = await runCommand('npm', create, { cwd, env, shell, capture: true });
  const lacking = LACKING.exec(created.output)?.[1];
  if (created.code !== 0 && lacking !== undefined && !lacking.startsWith('@sigil-mcp/')) {
    say(`SKIPPED ${manager}: the registry that npm is set to has no suitable version of ${lacking}`);
    return false;
  }
  if (created.code !== 0) throw new SetUpFailure(`${created.output}\nA project cannot be created with ${manager}.`);
  const project = join(cwd, 'my-server');
  const sigil = join(project, 'node_modules', '@sigil-mcp', 'cli', 'dist', 'main.js');
  const built = join(project, 'dist', 'main.js');
  const { code, output } = await runNode(sigil, ['inspect', '--json', '--', process.execPath, built], {
    ...{ cwd: project, env, capture: true },
  });
  const revisions = code === 0 ? revisionsOf(output) : 0;
  if (revisions !== REVISIONS)
    throw new SetUpFailure(`${output}\nThe server that ${manager} has installed speaks ${revisions} revisions.`);
  say(`npm create @sigil-mcp@latest works with ${manager} (${Math.round((Date.now() - began) / 1000)} s)`);
  return true;
}

function revisionsOf(output) {
  const { revisions } = JSON.parse(output.slice(output.indexOf('{')));
  return new Set([...revisions.offered, ...revisions.handshake]).size;
}

function emptyFolder(folder, name) {
  const made = join(folder, `empty-${name}`);
  mkdirSync(made);
  return made;
}

async function must(command, args, options) {
  const { code, output } = await runCommand(command, args, { ...options, capture: true });
  if (code !== 0) throw new SetUpFailure(`${output}\n${command} ${args.join(' ')} failed with exit code ${code}.`);
}
