/** The completion of command lines in real shells, with the scripts that `sigil completion` prints. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { describeWith } from '../../support/supplies/supply';
import { builtApp } from './built-app';

const CLI = join(__dirname, '..', '..', '..', 'packages', 'cli', 'dist', 'main.js');
/** Types a line in zsh. */
const TYPE = join(__dirname, 'fixtures', 'type-in-zsh.zsh');
const project = dirname(dirname(builtApp('weather')));

jest.setTimeout(150_000);

/** Has `sigil` in `bin`, and the scripts. */
let folder: string;
let env: NodeJS.ProcessEnv;

const run = (program: string, args: readonly string[], cwd = project): string =>
  execFileSync(program, args, { cwd, env, encoding: 'utf8', timeout: 30_000 });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sigil-completion-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'empty'));
  mkdirSync(join(folder, 'functions'));
  chmodSync(CLI, 0o755);
  symlinkSync(CLI, join(folder, 'bin', 'sigil'));
  env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
    TERM: 'dumb',
    HOME: folder,
  };
  // The tools of a project are known once they were listed.
  run('sigil', ['inspect']);
});
afterAll(() => rmSync(folder, { recursive: true }));

describeWith('zsh', 'in zsh', () => {
  it.each([
    ['sigil compl', 'sigil completion '],
    ['sigil call fore', 'sigil call forecast '],
    ['sigil call forecast ci', 'sigil call forecast city='],
    ['sigil call forecast --time', 'sigil call forecast --timeout '],
    ['sigil new --transport bo', 'sigil new --transport both '],
    ['sigil inspect tsco', 'sigil inspect tsconfig.json '],
  ])('completes %j with the first Tab of a new shell', (line, completed) => {
    writeFileSync(join(folder, 'functions', '_sigil'), run('sigil', ['completion', 'zsh']));
    expect(run('zsh', ['-f', TYPE, join(folder, 'functions'), line])).toBe(`${completed}\n`);
  });
});

describeWith('fish', 'in fish', () => {
  const complete = (line: string, cwd = project): string[] => {
    const script = join(folder, 'sigil.fish');
    writeFileSync(script, run('sigil', ['completion', 'fish']));
    const found = run('fish', ['--no-config', '-c', `source '${script}'; complete -C '${line}'`], cwd);
    return found.split('\n').filter((word) => word !== '');
  };

  it.each([
    ['sigil compl', ['completion']],
    ['sigil call ', ['bestTimeToVisit', 'compareCities', 'forecast']],
    ['sigil call forecast ', ['city=', 'days=', 'from=']],
    ['sigil new --transport ', ['both', 'http', 'stdio']],
    ['sigil inspect tsco', ['tsconfig.json']],
  ])('completes %j', (line, words) => {
    expect(complete(line)).toEqual(words);
  });

  it('completes commands, and no files in their place', () => {
    expect(complete('sigil ')).toEqual(expect.arrayContaining(['call', 'dev', 'inspect', 'new']));
    expect(complete('sigil ')).not.toContain('package.json');
  });

  it('completes files where no tool is known', () => {
    writeFileSync(join(folder, 'empty', 'server.ts'), '');
    expect(complete('sigil call ', join(folder, 'empty'))).toEqual(['server.ts']);
  });
});
