import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NEEDED_BY } from '../src/scaffold/packed-packages';
import { lacksSigil } from '../src/scaffold/install-project';
import { runCaptured } from '../../../test/support/captured-cli';
import { filesUnder, TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const BASE = [
  '.cursor/mcp.json',
  '.editorconfig',
  '.github/workflows/ci.yml',
  '.gitignore',
  '.mcp.json',
  '.nvmrc',
  '.prettierignore',
  '.prettierrc.json',
  '.vscode/extensions.json',
  '.vscode/launch.json',
  '.vscode/mcp.json',
  'AGENTS.md',
  'README.md',
  'eslint.config.mjs',
  'jest.config.js',
  'package.json',
  'src/main.ts',
  'src/notes.feature.ts',
  'src/server.ts',
  'test/notes.spec.ts',
  'test/tsconfig.json',
  'tsconfig.json',
];
const OVER_HTTP = ['.dockerignore', '.env.example', 'Dockerfile'];
/** As applications of every system start it without a shell. */
const COMMAND_FILE = 'node_modules/@sigil-mcp/cli/dist/main.js';
const plain = ['--yes', '--no-install', '--no-git'];

/** A new project, what the command said, and how its files are read. */
async function made(...words: string[]) {
  const folder = join(folders.make(), 'my-server');
  const said = await runCaptured('new', folder, ...words, ...plain);
  return { ...said, folder, read: (path: string): string => readFileSync(join(folder, path), 'utf8') };
}

describe('sigil new', () => {
  it.each([
    ['stdio', BASE],
    ['http', [...BASE, ...OVER_HTTP].sort()],
    ['both', [...BASE, ...OVER_HTTP].sort()],
  ])('writes a project for %s', async (transport, files) => {
    const { folder, read, status, stderr } = await made('--transport', transport);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(filesUnder(folder)).toEqual(files);
    expect(files.map((file) => read(file)).join('')).not.toMatch(/\{\{[#/\w]/);
    expect(JSON.parse(read('package.json'))).toMatchObject({ name: 'my-server' });
    const main = read('src/main.ts');
    expect(main.startsWith("#!/usr/bin/env node\nimport '@sigil-mcp/core/stdio/guard'")).toBe(transport !== 'http');
    // Packages are imported by name, but for the guard: @sigil-mcp/core loads the store for decorators itself.
    const effects = [...main.matchAll(/^import '([^']+)';/gm)].map(([, name]) => name);
    expect(effects).toEqual(transport === 'http' ? [] : ['@sigil-mcp/core/stdio/guard']);
    // Others on the machine may look at it as at any other folder.
    expect(statSync(folder).mode & 0o777).toBe(0o777 & ~process.umask());
  });

  it('names every variable that a server over HTTP reads in .env.example', async () => {
    const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'reference', 'environment.md'), 'utf8');
    const [, server = ''] = /^## A server\n([\s\S]*?)^## /m.exec(page) ?? [];
    const rows = [...server.matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)];
    // Those of the terminal belong to the terminal, and `sigil dev` sets its own.
    const others = ['FORCE_COLOR', 'NO_COLOR', 'TERM', 'SIGIL_DEV_ORIGIN'];
    const read = rows
      .filter(([, , by = '']) => !by.includes('StdioTransport'))
      .flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
      .filter((name) => !others.includes(name));
    expect(read).toContain('TRUST_PROXY');
    const { read: textOf } = await made('--transport', 'http', '--tokens');
    const example = textOf('.env.example');
    const named = [...example.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...read, 'ISSUER', 'RESOURCE'].sort());
  });

  it.each(['http', 'both'])('makes a server over %s that lets in callers with a token', async (transport) => {
    const { folder, read, stdout } = await made('-t', transport, '--tokens', '-p', 'npm');
    const files = [...BASE, ...OVER_HTTP, 'issuer.mjs', 'src/auth.ts', 'test/auth.spec.ts'].sort();
    expect(filesUnder(folder)).toEqual(files);
    expect(files.map((file) => read(file)).join('')).not.toMatch(/\{\{[#/\w]/);
    expect(read('src/main.ts')).toContain('new HttpTransport({ auth: await authOf(process.env) })');
    expect(read('src/notes.feature.ts').match(/@Scopes\('\S+'\)/g)).toHaveLength(3);
    // One whole command, which the Dockerfile repeats in its comment.
    const variables = ['ALLOWED_HOSTS', 'ISSUER', 'RESOURCE', 'SIGIL_SECRETS'];
    for (const file of ['README.md', 'Dockerfile'])
      expect(
        [...(/docker run .*\n.*/.exec(read(file))?.[0] ?? '').matchAll(/-e (\w+)=/g)].map(([, name]) => name),
      ).toEqual(variables);
    expect(read('README.md')).toMatch(/^4\. In `src\/auth\.ts` and `issuer\.mjs`, replace the scopes/m);
    expect(read('test/auth.spec.ts')).not.toContain('notes');
    expect(read('README.md')).toMatch(/Then ask: [^]*## Authorization[^]*## Deploy it/);
    expect(read('issuer.mjs')).toContain("writer: { scopes: ['notes:read', 'notes:write'] }");
    expect(JSON.parse(read('package.json')).scripts).toMatchObject({ dev: 'sigil dev --http --issuer issuer.mjs' });
    expect(JSON.parse(read('package.json')).dependencies).toHaveProperty(['@sigil-mcp/oauth']);
    expect(stdout).toMatch(/npm run dev +# serves it with an issuer to sign in at/);
  });

  it('has a picture that shows as many files as are written', () => {
    const picture = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'public', 'first-minute.svg'), 'utf8');
    expect(picture.replace(/<[^>]+>/g, '')).toContain(`Wrote notes: stdio, ${BASE.length} files`);
  });

  it.each([
    ['empty', ['src/main.ts', 'src/server.ts', 'test/server.spec.ts', 'test/tsconfig.json']],
    [
      'database',
      [
        'src/main.ts',
        'src/note-store.ts',
        'src/notes.feature.ts',
        'src/server.ts',
        'test/notes.spec.ts',
        'test/tsconfig.json',
      ],
    ],
  ])('writes what --template %s has in it', async (template, files) => {
    const { folder, read, status, stdout } = await made('--template', template, '-p', 'npm');
    expect(status).toBe(0);
    expect(filesUnder(folder).filter((file) => /^(src|test)\//.test(file))).toEqual(files);
    const agents = read('AGENTS.md');
    expect(agents.includes('src/notes.feature.ts')).toBe(template !== 'empty');
    expect(stdout.includes('npx sigil add feature tasks')).toBe(template === 'empty');
  });

  it('has no tokens over stdio', async () => {
    const { status, stderr } = await made('-t', 'stdio', '--tokens');
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('[SIGIL_NEW_TOKENS]') });
  });

  it('makes a server that speaks HTTP alone, and a container for it', async () => {
    const { read, stdout } = await made('-t', 'http', '-p', 'npm');
    expect(read('src/main.ts')).toContain('server.listen(new HttpTransport())');
    expect(read('src/main.ts')).not.toMatch(/stdio|argv/);
    const { scripts, dependencies } = JSON.parse(read('package.json'));
    expect(scripts).toMatchObject({
      dev: 'sigil dev --http',
      build: 'npm run clean-dist && tsc && sigil copy',
      start: 'node --enable-source-maps dist/main.js',
    });
    expect(Object.keys(dependencies)).toContain('@sigil-mcp/fastify');
    const dockerfile = read('Dockerfile');
    expect(dockerfile).toContain('COPY package.json package-lock.json ./\nRUN npm ci');
    expect(dockerfile).toContain('\nUSER node\n');
    expect(dockerfile).toMatch(
      /HEALTHCHECK [^]*\/healthz[^]*\nCMD \["node", "--enable-source-maps", "dist\/main\.js"\]\n$/,
    );
    expect(dockerfile).not.toContain('vendor');
    expect(read('README.md')).not.toContain('"command"');
    expect(read('README.md').match(/^## .*|^Then ask/gm)).toEqual([
      '## Connect an AI application',
      'Then ask',
      '## Remove the example',
      '## Publish it',
      '## Deploy it',
    ]);
    expect(stdout).toContain('claude mcp add --transport http my-server http://127.0.0.1:3000/mcp');
  });

  it.each([
    ['npm', { overrides: { 'light-my-request': '~6.6.0' } }],
    ['bun', { overrides: { 'light-my-request': '~6.6.0' } }],
    ['pnpm', { pnpm: { overrides: { 'light-my-request': '~6.6.0' } } }],
    ['yarn', { resolutions: { 'light-my-request': '~6.6.0' } }],
  ])('needs no newer Node than it says, also with what Fastify brings along (%s)', async (manager, members) => {
    const { read } = await made('-t', 'http', '-p', manager);
    expect(JSON.parse(read('package.json'))).toMatchObject(members);
    const other = join(folders.make(), 'my-server');
    await runCaptured('new', other, '-t', 'stdio', '-p', manager, ...plain);
    expect(readFileSync(join(other, 'package.json'), 'utf8')).not.toContain('light-my-request');
  });

  it('builds into an empty folder, so that nothing of a deleted source is started or packed', async () => {
    const { folder, read } = await made('-t', 'stdio', '-p', 'npm');
    const { scripts } = JSON.parse(read('package.json'));
    expect(scripts).toMatchObject({ build: 'npm run clean-dist && tsc && sigil copy', prepack: 'npm run build' });
    for (const path of ['dist/old.js', 'src/main.js']) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), '');
    }
    // Only what the shell of each platform leaves as it is stands in the script.
    const [, code = ''] = /^node -e "([^"$`\\%!]+)"$/.exec(scripts['clean-dist']) ?? [];
    for (const _run of ['with', 'without'])
      expect(spawnSync(process.execPath, ['-e', code], { cwd: folder, encoding: 'utf8' })).toMatchObject({
        status: 0,
        stderr: '',
      });
    expect(existsSync(join(folder, 'dist'))).toBe(false);
    expect(existsSync(join(folder, 'src/main.js'))).toBe(true);
  });

  it.each([
    ['--esm', 'module', "'./server.js'"],
    ['--no-esm', 'commonjs', "'./server'"],
  ])('writes the modules that it is told to (%s)', async (flag, type, specifier) => {
    const { read } = await made('-t', 'both', flag);
    expect(JSON.parse(read('package.json'))).toMatchObject({ type });
    expect(read('src/main.ts')).toContain(`import { server } from ${specifier};`);
  });

  it('ends with the commands to run, and the way into a client', async () => {
    const { folder, stdout } = await made('--package-manager', 'pnpm');
    expect(stdout).toMatch(
      / {2}cd \S+my-server\n {2}pnpm install .*\n {2}pnpm dev .*\n {2}pnpm exec sigil contract .*\n {2}pnpm test .*\n/,
    );
    expect(stdout).toContain(`claude mcp add --scope user my-server -- node ${join(folder, 'dist', 'main.js')}`);
  });

  it('speaks the language of the package manager in every file', async () => {
    const { read } = await made('-p', 'yarn', '-t', 'http');
    expect(read('README.md')).toContain('`yarn dev`');
    expect(read('Dockerfile')).toContain('COPY package.json yarn.lock ./');
  });

  describe('pins the package manager for corepack', () => {
    const before = { ...process.env };
    afterEach(() => {
      process.env = { ...before };
    });

    /** What package.json says, where these programs alone are installed. */
    async function pinned(manager: string, agent: string, programs: Readonly<Record<string, string>> = {}) {
      const place = folders.make(
        Object.fromEntries(Object.entries(programs).map(([name, text]) => [`bin/${name}`, text])),
      );
      for (const name of Object.keys(programs)) chmodSync(join(place, 'bin', name), 0o755);
      process.env['PATH'] = `${join(place, 'bin')}:/usr/bin:/bin`;
      process.env['npm_config_user_agent'] = agent;
      await runCaptured('new', join(place, 'my-server'), '-p', manager, ...plain);
      const manifest = JSON.parse(readFileSync(join(place, 'my-server', 'package.json'), 'utf8')) as {
        packageManager?: string;
      };
      return manifest.packageManager;
    }

    it('at the version that runs, or that is installed', async () => {
      expect(await pinned('pnpm', 'pnpm/10.1.0 npm/? node/v20.19.0 linux x64')).toBe('pnpm@10.1.0');
      expect(await pinned('yarn', 'npm/10.8.2', { yarn: '#!/bin/sh\necho 1.22.22\n' })).toBe('yarn@1.22.22');
    });

    it('unless it is npm or bun, or not installed', async () => {
      expect(await pinned('npm', 'npm/10.8.2 node/v20.19.0 linux x64')).toBeUndefined();
      expect(await pinned('bun', 'bun/1.4.0 npm/? node/v20.19.0')).toBeUndefined();
      expect(await pinned('yarn', 'npm/10.8.2', { yarn: '#!/bin/sh\nexit 1\n' })).toBeUndefined();
      expect(await pinned('pnpm', '', { pnpm: '#!/bin/sh\necho "No such version"\n' })).toBeUndefined();
    });
  });

  it('runs the tests of a project with bun by their script, and installs bun where an image has none', async () => {
    const { folder, read, stdout } = await made('-p', 'bun', '-t', 'http');
    expect(stdout).toMatch(/ {2}bun install .*\n {2}bun run dev .*\n {2}bunx sigil contract .*\n {2}bun run test .*\n/);
    const docker = read('Dockerfile');
    expect(docker).toContain('COPY package.json bun.lock ./');
    expect(docker).toContain('RUN npm install --global bun && bun install --frozen-lockfile\n');
    expect(readFileSync(join(folder, '.github', 'workflows', 'ci.yml'), 'utf8')).toContain('- run: bun run test\n');
  });

  it('refuses a folder that is not empty, says what is in it and changes nothing', async () => {
    const folder = folders.make({ 'my-server/notes.txt': 'mine', 'my-server/src/a.ts': '' });
    const { status, stderr } = await runCaptured('new', join(folder, 'my-server'), ...plain);
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('it has notes.txt, src.') });
    expect(filesUnder(folder)).toEqual(['my-server/notes.txt', 'my-server/src/a.ts']);
  });

  it('refuses a file', async () => {
    const folder = folders.make({ 'my-server': '' });
    const { status, stderr } = await runCaptured('new', join(folder, 'my-server'), ...plain);
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining('is a file.') });
  });

  it('takes a folder that has only a new repository, and leaves that as it is', async () => {
    const folder = folders.make({ 'my-server/.git/HEAD': 'ref: refs/heads/main\n' });
    expect((await runCaptured('new', join(folder, 'my-server'), ...plain)).status).toBe(0);
    expect(filesUnder(join(folder, 'my-server'))).toEqual(['.git/HEAD', ...BASE].sort());
  });

  it('refuses a name that npm refuses, with a reason and a better one', async () => {
    const folder = folders.make();
    const { status, stderr } = await runCaptured('new', join(folder, 'My Server'), ...plain);
    expect(status).toBe(2);
    expect(stderr).toBe(
      'npm does not accept the name "My Server", because it has capital letters. [SIGIL_NEW_NAME]\nUse "my-server", for example.\n',
    );
    expect(filesUnder(folder)).toEqual([]);
  });

  it('refuses a transport that there is not', async () => {
    const { status, stderr } = await runCaptured('new', 'x', '--transport', 'carrier-pigeon', ...plain);
    expect(status).toBe(2);
    expect(stderr).toContain('Allowed values: stdio, http, both');
  });

  it('leaves nothing behind where it cannot write', async () => {
    // The superuser may write everywhere, but not into a file.
    const folder = folders.make({ file: '' });
    const { status, stderr } = await runCaptured('new', join(folder, 'file', 'deep', 'my-server'), ...plain);
    expect(status).toBe(1);
    expect(stderr.split('\n')).toHaveLength(3);
    expect(filesUnder(folder)).toEqual(['file']);
  });

  it('names the tarballs that are missing', async () => {
    const folder = folders.make({ 'packed/sigil-mcp-core-0.1.0.tgz': '' });
    const words = ['new', join(folder, 'my-server'), '--packages', join(folder, 'packed'), ...plain];
    const { status, stderr } = await runCaptured(...words);
    expect(status).toBe(1);
    expect(stderr).toContain(
      'does not contain sigil-mcp-testing-0.1.0.tgz, sigil-mcp-cli-0.1.0.tgz, sigil-mcp-inspector-0.1.0.tgz, sigil-mcp-base-0.1.0.tgz, sigil-mcp-protocol-0.1.0.tgz, sigil-mcp-schema-0.1.0.tgz, sigil-mcp-client-0.1.0.tgz, sigil-mcp-audit-0.1.0.tgz, sigil-mcp-contract-0.1.0.tgz.',
    );
    expect(filesUnder(folder)).toEqual(['packed/sigil-mcp-core-0.1.0.tgz']);
  });

  it('keeps the tarballs in the project, for the packages that depend on each other as well', async () => {
    const names = [
      'audit',
      'base',
      'client',
      'contract',
      'core',
      'testing',
      'cli',
      'inspector',
      'protocol',
      'schema',
      'fastify',
      'http',
    ].map((name) => `sigil-mcp-${name}-0.1.0.tgz`);
    const folder = folders.make(Object.fromEntries(names.map((name) => [`packed/${name}`, name])));
    await runCaptured('new', join(folder, 'my-server'), '--packages', join(folder, 'packed'), ...plain, '-t', 'http');
    const manifest = JSON.parse(readFileSync(join(folder, 'my-server', 'package.json'), 'utf8'));
    expect(manifest.dependencies['@sigil-mcp/core']).toBe('file:vendor/sigil-mcp-core-0.1.0.tgz');
    expect(manifest.overrides['@sigil-mcp/protocol']).toBe('file:vendor/sigil-mcp-protocol-0.1.0.tgz');
    expect(filesUnder(join(folder, 'my-server', 'vendor'))).toEqual([...names].sort());
  });

  it('keeps the tarballs that sigil add may name later, too', async () => {
    const all = [
      'apps',
      'audit',
      'base',
      'cli',
      'client',
      'contract',
      'core',
      'inspector',
      'install',
      'nest',
      'openapi',
      'protocol',
      'publish',
      'results',
      'schema',
      'skills',
      'tasks',
      'testing',
      'toolsets',
    ];
    const folder = folders.make(Object.fromEntries(all.map((name) => [`packed/sigil-mcp-${name}-0.1.0.tgz`, name])));
    await runCaptured('new', join(folder, 'my-server'), '--packages', join(folder, 'packed'), ...plain);
    const names = all.filter((name) => name !== 'nest').map((name) => `sigil-mcp-${name}-0.1.0.tgz`);
    expect(filesUnder(join(folder, 'my-server', 'vendor'))).toEqual(names);
  });

  it('knows which packages of Sigil each package needs', () => {
    const packages = join(__dirname, '..', '..');
    for (const [name, needed] of Object.entries(NEEDED_BY)) {
      const { dependencies = {} } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as {
        dependencies?: Record<string, string>;
      };
      const own = Object.keys(dependencies).filter((one) => one.startsWith('@sigil-mcp/'));
      expect([name, own]).toEqual([name, needed.map((one) => `@sigil-mcp/${one}`)]);
    }
    const listed = [...Object.keys(NEEDED_BY), ...Object.values(NEEDED_BY).flat()];
    expect(listed.filter((name) => NEEDED_BY[name] === undefined)).toEqual([]);
  });

  describe('with git', () => {
    const git = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim();
    const known = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
    const identity = { ...known, GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' };
    const before = { ...process.env };
    afterEach(() => {
      process.env = { ...before };
    });

    it('makes a repository with a first commit of every file', async () => {
      Object.assign(process.env, identity);
      const project = join(folders.make(), 'my-server');
      await runCaptured('new', project, '--yes', '--no-install');
      expect(git(project, 'log', '--format=%an: %s')).toBe('Ada: Create my-server with sigil new');
      expect(git(project, 'status', '--porcelain')).toBe('');
      expect(git(project, 'ls-files').split('\n')).toEqual(BASE);
    });

    it('makes no commit without an identity, and says so', async () => {
      const folder = folders.make();
      // No configuration of the user or the system.
      Object.assign(process.env, { HOME: folder, XDG_CONFIG_HOME: folder, GIT_CONFIG_NOSYSTEM: '1' });
      const project = join(folder, 'my-server');
      const { status, stdout } = await runCaptured('new', project, '--yes', '--no-install');
      expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Made no first commit') });
      expect(git(project, 'rev-parse', '--show-toplevel')).toBe(project);
    });

    it('leaves a repository around the project alone', async () => {
      Object.assign(process.env, identity);
      const outer = join(folders.make(), 'outer');
      await runCaptured('new', outer, '--yes', '--no-install');
      await runCaptured('new', join(outer, 'inner'), '--yes', '--no-install');
      expect(git(join(outer, 'inner'), 'rev-parse', '--show-toplevel')).toBe(outer);
      expect(git(outer, 'rev-list', '--count', 'HEAD')).toBe('1');
    });
  });

  describe('for editors and AI applications', () => {
    it.each([
      ['stdio', '.mcp.json', 'mcpServers', { command: 'node', args: [COMMAND_FILE, 'dev'] }],
      ['both', '.vscode/mcp.json', 'servers', { type: 'stdio', command: 'node', args: [COMMAND_FILE, 'dev'] }],
      ['stdio', '.cursor/mcp.json', 'mcpServers', { command: 'node' }],
      ['http', '.mcp.json', 'mcpServers', { type: 'http', url: 'http://127.0.0.1:3000/mcp' }],
      ['http', '.vscode/mcp.json', 'servers', { type: 'http', url: 'http://127.0.0.1:3000/mcp' }],
      ['http', '.cursor/mcp.json', 'mcpServers', { url: 'http://127.0.0.1:3000/mcp' }],
    ])('over %s, offers the server in %s', async (transport, file, member, expected) => {
      const project = join(folders.make(), 'my-server');
      await runCaptured('new', project, '-t', transport, ...plain);
      const offered = JSON.parse(readFileSync(join(project, file), 'utf8')) as Record<string, object>;
      expect(offered).toMatchObject({ [member]: { 'my-server': expected } });
    });

    it.each(['stdio', 'http', 'both'])('over %s, no file has a path of this machine', async (transport) => {
      const folder = folders.make();
      const project = join(folder, 'my-server');
      await runCaptured('new', project, '-t', transport, ...plain);
      for (const file of filesUnder(project)) expect(readFileSync(join(project, file), 'utf8')).not.toContain(folder);
    });
  });

  it('writes every file as the prettier of the project formats it', async () => {
    const folder = folders.make();
    const variants = [
      '-t stdio --esm -p pnpm',
      '-t http -p yarn',
      '-t http --tokens --esm',
      '-t both --tokens',
      '-t both',
    ];
    for (const [index, words] of variants.entries())
      await runCaptured('new', join(folder, `server-${index}`), ...words.split(' '), ...plain);
    const prettier = join(__dirname, '..', '..', '..', 'node_modules', '.bin', 'prettier');
    const { stderr } = spawnSync(prettier, ['--check', '.'], { cwd: folder, encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  describe('when the installation fails', () => {
    /** Makes a project with an npm of our own. */
    async function withNpm(script: string, name = 'my-server', words = ['--no-git'], files = {}) {
      const folder = folders.make(files);
      mkdirSync(join(folder, 'bin'));
      writeFileSync(join(folder, 'bin', 'npm'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(folder, 'bin', 'npm'), 0o755);
      const path = process.env['PATH'];
      process.env['PATH'] = `${join(folder, 'bin')}:${path}`;
      try {
        const project = join(folder, name);
        const said = await runCaptured('new', project, '--yes', '-p', 'npm', ...words);
        return { ...said, project };
      } finally {
        process.env['PATH'] = path;
      }
    }
    const failing = (...lines: string[]): string =>
      [...lines.map((line) => `echo "npm error ${line}" >&2`), 'exit 1'].join('\n');

    it.each([
      [failing('code ENOTFOUND'), 'the package registry cannot be reached (ENOTFOUND).'],
      [failing('network This is a problem related to it.'), 'the package registry cannot be reached.'],
      [failing('code E500', 'Out of coffee.'), 'npm says "Out of coffee".'],
      [
        `[ "$1" = view ] && { echo "npm error code EAI_AGAIN" >&2; exit 1; }\n${failing('code ERESOLVE', 'could not resolve')}`,
        'the package registry cannot be reached (EAI_AGAIN).',
      ],
      [
        `[ "$1" = view ] && { echo 6.0.3; exit 0; }\n${failing('code ERESOLVE', 'could not resolve')}`,
        'npm says "could not resolve".',
      ],
    ])('says what to run later (%s)', async (script, why) => {
      const { status, stderr, project } = await withNpm(script);
      expect(status).toBe(1);
      expect(stderr).toBe(
        `my-server is written, but its packages are not installed: ${why} [SIGIL_NEW_NOT_INSTALLED]\n` +
          `Finish it with: cd ${project} && npm install\n`,
      );
      expect(filesUnder(project)).toEqual(BASE);
    });

    const lacking = failing(
      'code E404',
      '404 Not Found - GET https://registry.example/@sigil-mcp%2fcore',
      "404  '@sigil-mcp/core@^0.1.0' is not in this registry.",
    );

    it('creates nothing if the registry lacks the packages, and names the command for a clone', async () => {
      const { status, stderr, project } = await withNpm(lacking, join('new', 'parents', 'my-server'), []);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr:
          `The registry does not have the packages of Sigil, so my-server was not created. [SIGIL_NEW_NO_SIGIL]\n` +
          'Before the first release, create it in a clone of https://github.com/sigil-mcp/sigil, with your other options: ' +
          `npm run new -- ${project}\n`,
      });
      expect(existsSync(join(dirname(project), '..'))).toBe(false);
    });

    it('leaves a folder that existed as it was if the registry lacks the packages', async () => {
      const script = `mkdir node_modules; touch package-lock.json\n${lacking}`;
      const { status, project } = await withNpm(script, 'my-server', [], {
        'my-server/.git/HEAD': 'ref: refs/heads/x',
      });
      expect({ status, files: filesUnder(project) }).toEqual({ status: 1, files: ['.git/HEAD'] });
      expect(readdirSync(project)).toEqual(['.git']);
    });

    it.each([
      ['pnpm', 'ERR_PNPM_FETCH_404  GET https://registry.example/@sigil-mcp%2Fcore: Not Found - 404'],
      ['yarn', 'error Error: https://registry.example/@sigil-mcp%2fcore: Not found'],
      ['yarn', 'error Couldn\'t find package "@sigil-mcp/core@^0.1.0" required by "my-server" on the "npm" registry.'],
      ['yarn', '@sigil-mcp/core@npm:^0.1.0: Package not found ... Response Code: 404 (Not Found)'],
      ['bun', 'error: GET https://registry.example/@sigil-mcp%2fcore - 404'],
    ])('knows this answer of %s, too: %s', (_manager, said) => {
      expect(lacksSigil(said)).toBe(true);
    });

    it('makes the first commit anyway, so that the project is a complete repository', async () => {
      const known = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
      const before = { ...process.env };
      Object.assign(process.env, known, { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' });
      try {
        const { status, project } = await withNpm(failing('code ENOTFOUND'), 'my-server', []);
        const tracked = execFileSync('git', ['ls-files'], { cwd: project, encoding: 'utf8' }).trim().split('\n');
        expect({ status, tracked }).toEqual({ status: 1, tracked: BASE });
      } finally {
        process.env = before;
      }
    });
  });
});
