/** The completion of command lines in real shells, with the scripts that `sigil completion` prints. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    // Names that are no ASCII are shown as they are.
    LC_ALL: 'C.UTF-8',
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

/** Words that a shell would run, expand or obey, as a cloned repository or a server may call its tools. */
const HOSTILE = [
  ...[
    '$(touch PWNED)',
    '`touch PWNED`',
    ';touch PWNED',
    'x;touch${IFS}PWNED;',
    'a&&touch PWNED',
    'a|touch PWNED',
    '>PWNED',
  ],
  ...[
    'a b',
    "'",
    '"',
    '\\',
    '~',
    '~root',
    '!!',
    '!touch',
    'a\nb',
    'a\ttouch',
    '\u001b[31mred',
    '\u009b31m',
    '\u202etxt',
  ],
  ...[
    '${IFS}',
    '$HOME',
    '{a,b}',
    '*',
    '[a-z]',
    '?',
    '=ls',
    '@args',
    '#x',
    '%1',
    '^x',
    '(touch PWNED)',
    '<(touch PWNED)',
  ],
  ...['--header', '-y', '', ' ', '\u3164', '\u00ad', '“x”', ',', 'a,b', '\0', 'x'.repeat(1000)],
];
const PLAIN = ['__proto__', 'forecast', 'get/v1.2_x-y', 'größe', '天気'];

describe('Tools of a repository that somebody else has made', () => {
  let hostile: string;
  const complete = (...words: string[]): string[] =>
    run('sigil', ['complete', '--', ...words], hostile)
      .split('\n')
      .filter(Boolean);

  beforeAll(() => {
    hostile = join(folder, 'hostile');
    const cache = join(hostile, 'node_modules', '.cache', 'sigil');
    mkdirSync(cache, { recursive: true });
    writeFileSync(join(hostile, 'package.json'), '{}');
    const names = ['city', ...HOSTILE];
    const tools = Object.fromEntries([...HOSTILE, ...PLAIN].map((name) => [name, names]));
    writeFileSync(join(cache, 'tools.json'), JSON.stringify({ ...tools, ['__proto__']: names }));
  });

  it('are completed if their names are plain words for every shell, and left out otherwise', () => {
    expect(complete('call', '').sort()).toEqual([...PLAIN].sort());
    expect(complete('call', 'forecast', '')).toEqual(['city=']);
  });

  it('run nothing in bash: neither at Tab nor at Enter', () => {
    const script = join(folder, 'sigil.bash');
    writeFileSync(script, run('sigil', ['completion', 'bash']));
    const said = run(
      'bash',
      [
        ...['--norc', '-c'],
        `set -f; source '${script}'; COMP_WORDS=(sigil call ''); COMP_CWORD=2; _sigil
         for word in "\${COMPREPLY[@]}"; do printf '<%s>\\n' "$word"; eval "echo $word" > /dev/null; done`,
      ],
      hostile,
    );
    expect(said.split('\n').filter(Boolean).sort()).toEqual(PLAIN.map((name) => `<${name}>`).sort());
    expect(existsSync(join(hostile, 'PWNED'))).toBe(false);
  });

  it('are words in bash, also where a file fits as a pattern, and quoted if an older sigil prints them', () => {
    const bin = join(folder, 'old');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'sigil'), "#!/bin/sh\nprintf '%s\\n' 'package*' 'x;touch${IFS}PWNED;' '$(touch PWNED)'\n", {
      mode: 0o755,
    });
    const script = join(folder, 'sigil.bash');
    const said = run(
      'bash',
      [
        ...['--norc', '-c'],
        `PATH='${bin}':$PATH; source '${script}'; COMP_WORDS=(sigil call ''); COMP_CWORD=2; _sigil
         for word in "\${COMPREPLY[@]}"; do eval "printf '<%s>\\n' $word"; done`,
      ],
      hostile,
    );
    expect(said.split('\n').filter(Boolean)).toEqual(['<package*>', '<x;touch${IFS}PWNED;>', '<$(touch PWNED)>']);
    expect(existsSync(join(hostile, 'PWNED'))).toBe(false);
  });

  describeWith('zsh', 'in zsh', () => {
    it.each([
      ['sigil call fore', 'sigil call forecast '],
      ['sigil call x', 'sigil call x'],
      ['sigil call \\$', 'sigil call \\$'],
    ])('complete %j to no command', (line, completed) => {
      writeFileSync(join(folder, 'functions', '_sigil'), run('sigil', ['completion', 'zsh']));
      expect(run('zsh', ['-f', TYPE, join(folder, 'functions'), line], hostile)).toBe(`${completed}\n`);
      expect(existsSync(join(hostile, 'PWNED'))).toBe(false);
    });
  });

  describeWith('fish', 'in fish', () => {
    it('complete to no command', () => {
      const script = join(folder, 'sigil.fish');
      writeFileSync(script, run('sigil', ['completion', 'fish']));
      const found = run('fish', ['--no-config', '-c', `source '${script}'; complete -C 'sigil call '`], hostile);
      expect(found.split('\n').filter(Boolean).sort()).toEqual([...PLAIN].sort());
      expect(existsSync(join(hostile, 'PWNED'))).toBe(false);
    });
  });

  it('are arguments in PowerShell: no word is a variable, a splatted value, a list, a quote or a comment', () => {
    // PowerShell puts the text of a result on the command line as it is.
    for (const word of [...complete('call', ''), ...complete('call', 'forecast', '')])
      expect(word).toMatch(/^[\p{L}\p{N}_./][\p{L}\p{N}_./:=@-]*$/u);
    expect(run('sigil', ['completion', 'powershell'])).toContain(
      "CompletionResult]::new($_, $_, 'ParameterValue', $_)",
    );
  });
});
