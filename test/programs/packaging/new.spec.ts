/** From tarballs to a server that an official client calls. One installation serves all tests, in their order. */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';
import { buildImage } from './dockerfile';
import { sigilIn } from './installed-project';
import { CREATE, packAll, PACKAGES, type Packed } from './packed';
import { plainEnvironment, run, runWell, type Ran } from './run-command';
import { runTokenTests } from './token-tests';
import { writeDescriptions } from './write-descriptions';

const LONG = 300_000;
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-new-')));
const project = join(folder, 'my-server');

/** What the workflow of a project runs. */
interface Workflow {
  readonly jobs: { readonly check: { readonly steps: readonly { readonly run?: string }[] } };
}
const children: ChildProcess[] = [];
let packed: Packed = { folder: '', tarballs: {} };
let created: Ran;

beforeAll(async () => {
  packed = await packAll();
  const args = [CREATE, 'my-server', '--yes', '--transport', 'both', '--packages', packed.folder];
  created = await run(process.execPath, args, folder);
}, LONG);

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Links what a package needs, peers included, from here, where the project does not have it. */
function linkDependencies(name: string, folder: string): void {
  const { dependencies = {}, peerDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;
  const root = join(__dirname, '..', '..', '..');
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
    const own = join(root, 'packages', name, 'node_modules', needed);
    const here = existsSync(own) ? own : join(root, 'node_modules', needed);
    const there = join(project, 'node_modules', needed);
    if (existsSync(there) || !existsSync(here)) continue;
    mkdirSync(dirname(there), { recursive: true });
    symlinkSync(here, there, 'junction');
  }
}

const sigil = (...words: string[]): Promise<Ran> => sigilIn(project, ...words);

/** Starts a server over HTTP and waits until it is healthy. */
async function serve(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...plainEnvironment(), ...env }, stdio: 'ignore' });
  children.push(child);
  await until(() =>
    fetch(`http://127.0.0.1:${env['PORT']}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([0, null]);
}

/** Takes a note and reads it, as an application does. */
async function takeNote(transport: Transport): Promise<void> {
  const client = new Client({ name: 'official-client', version: '2' });
  await client.connect(transport);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('takeNote');
  const taken = await client.callTool({ name: 'takeNote', arguments: { title: 'milk', text: 'two bottles' } });
  expect(taken).toMatchObject({ content: [{ type: 'text', text: 'Took the note "milk".' }] });
  expect(JSON.stringify(await client.readResource({ uri: 'notes://all' }))).toContain('two bottles');
  expect(JSON.stringify(await client.getPrompt({ name: 'sumUpNotes' }))).toContain('a brief summary');
  await client.close();
}

/** What `npm create` stands for, with tarballs in the place of the registry; what npm keeps for next time goes with the folder. */
async function npmCreate(...words: string[]): Promise<Ran> {
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  symlinkSync(
    join((await runWell('npm', ['config', 'get', 'cache'], folder)).trim(), '_cacache'),
    join(cache, '_cacache'),
  );
  const packages = ['create', 'cli', 'audit', 'base', 'client', 'contract', 'core', 'protocol', 'schema'].flatMap(
    (name) => ['--package', packed.tarballs[name] ?? ''],
  );
  const args = ['exec', '--yes', ...packages, '--', 'create', ...words];
  return run('npm', args, folder, { ...plainEnvironment(), npm_config_cache: cache });
}

describe('npm create @sigil-mcp', () => {
  it(
    'runs from the tarballs, and makes what it was asked for',
    async () => {
      const flags = ['--yes', '--no-install', '--transport', 'http', '--packages', packed.folder];
      const { code, stdout } = await npmCreate('over-http', ...flags);
      expect([stdout, code]).toEqual([expect.stringContaining('over-http is ready:'), 0]);
      const { scripts, dependencies } = JSON.parse(readFileSync(join(folder, 'over-http', 'package.json'), 'utf8'));
      expect(scripts).toMatchObject({ dev: 'sigil dev --http', start: 'node --enable-source-maps dist/main.js' });
      expect(dependencies).toMatchObject({ '@sigil-mcp/fastify': 'file:vendor/sigil-mcp-fastify-0.1.0.tgz' });
      expect(existsSync(join(folder, 'over-http', '.git'))).toBe(true);
    },
    LONG,
  );

  it('makes a project that is installed and built, and says what to run', () => {
    expect(created).toMatchObject({ code: 0, stderr: '' });
    expect(created.stdout).toContain('  cd my-server\n  npm run dev ');
    expect(created.stdout).toContain('  npm test ');
    expect(created.stdout).toContain(
      `claude mcp add --scope user my-server -- node ${join(project, 'dist', 'main.js')}`,
    );
  });

  it('does not touch it a second time', async () => {
    const again = await run(process.execPath, [CREATE, 'my-server', '--yes'], folder);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('my-server is not empty: it has ');
  });

  it(
    'makes a project that builds and passes its own tests',
    async () => {
      await runWell('npm', ['run', 'build'], project);
      const { code, stdout, stderr } = await run('npm', ['test'], project);
      expect([stdout, stderr, code]).toEqual([stdout, expect.stringContaining('Tests:       11 passed, 11 total'), 0]);
      expect(stdout + stderr).not.toContain('WARN');
    },
    LONG,
  );

  it(
    'makes a project whose workflow goes well, from the formatting to the build',
    async () => {
      const workflow = parse(readFileSync(join(project, '.github', 'workflows', 'ci.yml'), 'utf8')) as Workflow;
      const [, lint = '', judge = '', ...others] = workflow.jobs.check.steps.flatMap(({ run: step }) => step ?? []);
      expect([lint, ...others]).toEqual(['npm run lint', 'npm test', 'npm run build']);
      // The tests and the build are run by the test above.
      await runWell('sh', ['-c', lint], project);
      const commit = (await runWell('git', ['rev-parse', 'HEAD'], project)).trim();
      await runWell('git', ['update-ref', 'refs/remotes/origin/main', commit], project);
      const summary = join(folder, 'summary.md');
      const env = { ...plainEnvironment(), GITHUB_BASE_REF: 'main', GITHUB_STEP_SUMMARY: summary };
      expect(await run('sh', ['-c', judge], project, env)).toMatchObject({ code: 0 });
      expect(readFileSync(summary, 'utf8')).toContain('contract has not changed');
    },
    LONG,
  );

  it(
    'makes a project whose tests fail after a change that clients notice, and say what to do',
    async () => {
      const file = join(project, 'src', 'notes.feature.ts');
      const text = readFileSync(file, 'utf8');
      writeFileSync(file, text.replace('Takes a note', 'Takes a short note'));
      const { code, stdout, stderr } = await run('npm', ['test'], project);
      expect([code, stdout]).toEqual([1, expect.stringMatching(/security {4}takeNote: its description says/)]);
      expect(stderr).toContain('If this is what you want, write it with npx sigil contract, and commit the file.');
      await sigil('contract');
      expect((await sigil('contract', 'check')).code).toBe(0);
      writeFileSync(file, text);
      await sigil('contract');
      expect((await sigil('check')).stdout).toContain('no findings.');
    },
    LONG,
  );

  it.each([
    ['Claude Code', '.mcp.json', 'mcpServers', true],
    ['VS Code', '.vscode/mcp.json', 'servers', true],
    ['Cursor', '.cursor/mcp.json', 'mcpServers', false],
  ])(
    'makes a project that offers its server to %s',
    async (_name, file, member, inFolder) => {
      const said = readFileSync(join(project, file), 'utf8').replaceAll('${workspaceFolder}', project);
      const { [member]: servers } = JSON.parse(said) as Record<string, Record<string, StdioServerParameters>>;
      const { command = '', args = [] } = servers?.['my-server'] ?? {};
      await takeNote(new StdioClientTransport({ command, args, cwd: inFolder ? project : folder }));
    },
    LONG,
  );

  it(
    'makes a package that others start with npx, with the version of package.json',
    async () => {
      await runWell('npm', ['version', '--no-git-tag-version', '2.3.4'], project);
      await runWell('npm', ['pack', '--silent', '--pack-destination', folder], project);
      const elsewhere = join(folder, 'elsewhere');
      mkdirSync(elsewhere);
      // In the place of the registry.
      const names = ['base', 'core', 'fastify', 'http', 'protocol', 'schema'].map((name) => [
        `@sigil-mcp/${name}`,
        `file:${packed.tarballs[name]}`,
      ]);
      writeFileSync(join(elsewhere, 'package.json'), JSON.stringify({ overrides: Object.fromEntries(names) }));
      const flags = ['--no-audit', '--no-fund', '--prefer-offline'];
      await runWell('npm', ['install', ...flags, join(folder, 'my-server-2.3.4.tgz')], elsewhere);
      const transport = new StdioClientTransport({
        command: 'npx',
        args: ['--no-install', 'my-server'],
        cwd: elsewhere,
      });
      const client = new Client({ name: 'official-client', version: '2' });
      await client.connect(transport);
      expect(client.getServerVersion()).toMatchObject({ name: 'my-server', version: '2.3.4' });
      await client.close();
    },
    LONG,
  );

  it(
    'makes a server that the official client calls over stdio',
    async () => {
      await takeNote(new StdioClientTransport({ command: process.execPath, args: [join(project, 'dist', 'main.js')] }));
    },
    LONG,
  );

  it(
    'makes a server that the official client calls over HTTP',
    async () => {
      const port = String(await freePort());
      const child = await serve([process.execPath, 'dist/main.js', '--http'], project, { PORT: port });
      await takeNote(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
      await stop(child);
    },
    LONG,
  );

  it(
    'makes a Dockerfile whose steps end in a healthy server',
    async () => {
      const image = await buildImage(project, join(folder, 'image'));
      expect(image).toMatchObject({ user: 'node', env: { HOST: '0.0.0.0', NODE_ENV: 'production' } });
      expect(existsSync(join(image.folder, 'node_modules', 'typescript'))).toBe(false);
      const env = { ...image.env, PORT: String(await freePort()) };
      const child = await serve(image.command, image.folder, env);
      const [program = '', ...args] = image.healthcheck;
      const check = (): Promise<Ran> =>
        run(program.replace('CMD', ''), args, image.folder, { ...plainEnvironment(), ...env });
      expect(await check()).toMatchObject({ code: 0 });
      await takeNote(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${env.PORT}/mcp`)));
      await stop(child);
      expect(await check()).toMatchObject({ code: 1 });
    },
    LONG,
  );

  it(
    'makes a project in which the doctor finds nothing',
    async () => {
      expect(await sigil('doctor')).toMatchObject({ code: 0, stdout: expect.stringContaining('No problems found.') });
    },
    LONG,
  );
});

describe('the jest of that project', () => {
  it(
    'reads what @sigil-mcp/oauth needs, without a setting',
    async () => {
      const { stderr, code } = await runTokenTests(project, packed);
      expect([stderr, code]).toEqual([expect.stringContaining('Tests:       4 passed, 4 total'), 0]);
    },
    LONG,
  );
});

describe('sigil add, in that project', () => {
  it(
    'adds each kind, and the tests still pass',
    async () => {
      for (const words of [
        'tool findNote',
        'resource oldNotes',
        'prompt sortNotes',
        'feature tasks',
        'tool addTask -f tasks',
      ]) {
        expect(await sigil('add', ...words.split(' '))).toMatchObject({
          code: 0,
          stderr: expect.not.stringContaining('not'),
        });
      }
      const placeholders = await sigil('doctor');
      expect(placeholders).toMatchObject({ code: 1, stdout: expect.stringContaining('8 things to fix.') });
      expect(await sigil('inspect')).toMatchObject({ stderr: expect.stringContaining('[SIGIL_PLACEHOLDER]') });
      writeDescriptions(project);
      const { code, stdout, stderr } = await run('npm', ['test'], project);
      expect([stdout, stderr, code]).toEqual([stdout, expect.stringContaining('Tests:       36 passed, 36 total'), 0]);
      await runWell('npm', ['run', 'build'], project);
      expect((await sigil('doctor')).code).toBe(0);
    },
    LONG,
  );
});

describe('every package', () => {
  const loadable = ['core', 'core/stdio', ...PACKAGES.filter((name) => name !== 'core')].map(
    (name) => `@sigil-mcp/${name}`,
  );

  beforeAll(async () => {
    // A project does not depend on these.
    for (const name of PACKAGES.filter((each) => !existsSync(join(project, 'node_modules', '@sigil-mcp', each)))) {
      const into = join(project, 'node_modules', '@sigil-mcp', name);
      mkdirSync(into);
      await runWell('tar', ['-xzf', packed.tarballs[name] ?? '', '-C', into, '--strip-components=1'], project);
      linkDependencies(name, into);
    }
  });

  it('is imported by an ES module', async () => {
    const imports = loadable.map((name, index) => `import * as each${index} from '${name}';`);
    // Every name, and not only a default: what ES modules find in CommonJS is found by reading it.
    const lost = loadable.map(
      (name, index) => `Object.keys(require('${name}')).filter((each) => !(each in each${index}))`,
    );
    const counts = loadable.map((_, index) => `Object.keys(each${index}).length`);
    writeFileSync(
      join(project, 'all.mjs'),
      [
        "import { createRequire } from 'node:module';",
        ...imports,
        'const require = createRequire(import.meta.url);',
        `console.log(JSON.stringify([[${counts.join(', ')}], [${lost.join(', ')}].flat()]));`,
      ].join('\n'),
    );
    const [counted, missing] = JSON.parse(await runWell(process.execPath, ['all.mjs'], project)) as [
      number[],
      string[],
    ];
    expect(counted.every((count) => count > 0)).toBe(true);
    expect(missing).toEqual([]);
    writeFileSync(
      join(project, 'names.mjs'),
      "import { createServer, Tool } from '@sigil-mcp/core';\nimport { connect } from '@sigil-mcp/testing';\n" +
        "import { HttpTransport } from '@sigil-mcp/fastify';\n" +
        'console.log([createServer, Tool, connect, HttpTransport].map((each) => typeof each).join());',
    );
    expect(await runWell(process.execPath, ['names.mjs'], project)).toBe('function,function,function,function\n');
  });

  it('is required by a CommonJS module', async () => {
    const script = `for (const name of ${JSON.stringify(loadable)}) if (Object.keys(require(name)).length === 0) throw new Error(name);`;
    writeFileSync(join(project, 'all.cjs'), `require('reflect-metadata');\n${script}\n`);
    await runWell(process.execPath, ['all.cjs'], project);
  });

  it('is there once: what is imported is what is required', async () => {
    writeFileSync(
      join(project, 'same.mjs'),
      "import { createRequire } from 'node:module';\nimport { McpContext } from '@sigil-mcp/core';\n" +
        "console.log(createRequire(import.meta.url)('@sigil-mcp/core').McpContext === McpContext);",
    );
    expect(await runWell(process.execPath, ['same.mjs'], project)).toBe('true\n');
    expect(readFileSync(join(project, 'package.json'), 'utf8')).toContain('"overrides"');
  });
});
