/** Commands with packages of their own: found by their names, listed without them, and offered if they are not installed. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Command } from 'commander';
import { CapturedText } from '../../../test/support/captured-text';
import { runCaptured } from '../../../test/support/captured-cli';
import { TemporaryFolders } from '../../../test/support/temporary-folder';
import { OUTSIDE_COMMANDS } from '../src/command-packages/command-package';
import { loadPackage, offerPackage, OWN_PLACE } from '../src/command-packages/open-command';
import { Shell } from '../src/terminal/shell';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const NAMES = Object.entries(OUTSIDE_COMMANDS);

describe.each(NAMES)('sigil %s', (name, { package: home, usage, summary }) => {
  it('takes the arguments that the help lists without its package', () => {
    const command = new Command();
    loadPackage(home, [OWN_PLACE])?.commands[name]?.(command, new Shell());
    expect(command.usage()).toBe(usage);
    expect(command.options).not.toEqual([]);
  });

  it('is in the help, and has a help of its own', async () => {
    const [first = '', ...rest] = name.split(' ');
    const list = await runCaptured(...(rest.length > 0 ? [first, '--help'] : ['--help']));
    expect(list.stdout.replace(/\s+/g, ' ')).toContain(summary);
    const own = await runCaptured('help', ...name.split(' '));
    const same = await runCaptured(...name.split(' '), '--help');
    expect(same.stdout).toContain(`Usage: sigil ${name} ${usage}`);
    if (rest.length === 0) expect(own.stdout).toBe(same.stdout);
  });
});

it('loads none of these packages for its version and its help', () => {
  const program = `
    const { runCli } = require('./packages/cli/dist/index.js');
    const loaded = () => Object.keys(require.cache).filter((file) => /${NAMES.map(([, { package: home }]) =>
      home.replace('@sigil-mcp/', 'packages[\\\\/]'),
    ).join('|')}/.test(file));
    runCli(['--version']).then(() => runCli(['--help'])).then(() => console.error(loaded().length));`;
  const { stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: join(__dirname, '..', '..', '..'),
    encoding: 'utf8',
  });
  expect(stderr).toBe('0\n');
});

describe('a package that is not installed', () => {
  const offered = (files: Readonly<Record<string, string>>): Promise<unknown> => {
    const shell = new Shell({ cwd: folders.make(files), stderr: new CapturedText(), env: {} });
    return offerPackage(shell, { name: 'migrate', package: '@sigil-mcp/migrate' });
  };

  it('is named without a terminal, with the command that installs it', async () => {
    expect(loadPackage('no-such-package', [OWN_PLACE, join(folders.make(), 'package.json')])).toBeUndefined();
    await expect(offered({ 'package.json': '{}' })).rejects.toMatchObject({
      code: 'SIGIL_CLI_PACKAGE',
      message: 'sigil migrate is in the package @sigil-mcp/migrate, which is not installed.',
      fix: 'Install it first: npm install --save-dev @sigil-mcp/migrate@0.1.0',
    });
  });

  it.each([
    ['pnpm-lock.yaml', 'pnpm add --save-dev'],
    ['yarn.lock', 'yarn add --dev'],
    ['bun.lock', 'bun add --dev'],
  ])('is installed by the package manager of %s', async (lock, command) => {
    await expect(offered({ 'package.json': '{}', [lock]: '' })).rejects.toMatchObject({
      fix: `Install it first: ${command} @sigil-mcp/migrate@0.1.0`,
    });
  });
});

it('says what is wrong with a package that is there and cannot be loaded', () => {
  const folder = folders.make({
    'package.json': '{}',
    'node_modules/broken-commands/index.js': "require('no-such-package');",
  });
  expect(() => loadPackage('broken-commands', [join(folder, 'package.json')])).toThrow('no-such-package');
});
