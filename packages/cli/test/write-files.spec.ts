/** Files are written whole, and never through links to other places. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { storeTools } from '../src/completion/remembered-tools';
import { compileProject, openCache } from '../src/project/compile-project';
import type { ServerTarget } from '../src/targets/target';
import { stylesFor } from '../src/terminal/styles';
import { copyToNewFile, preparePrivateFile, writeNewFile } from '../src/new-file';
import { checkInside, writeFiles } from '../src/write-files';
import { runCaptured } from '../../../test/support/captured-cli';
import { filesUnder, linkCompiler, TemporaryFolders, write } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const read = (path: string): string => readFileSync(path, 'utf8');
const isPosix = process.platform !== 'win32';

/** The server of a project. */
const targetIn = (project: string): ServerTarget => ({
  ...{ kind: 'command', command: 'node', args: [], label: '', file: join(project, 'main.ts') },
  ...{ cwd: project, env: {} },
});

/** A project of somebody else, and a folder of the user that is not of it. */
function places(): { readonly project: string; readonly home: string } {
  return { project: folders.make(), home: folders.make({ '.bashrc': 'mine', 'keys/id': 'secret' }) };
}

describe('Files', () => {
  it('are written with their folders, and leave no draft', () => {
    const { project } = places();
    const changes = [
      { path: join(project, 'a/b/one.txt'), contents: 'one' },
      { path: join(project, 'two.bin'), contents: Buffer.from([0, 255]) },
    ];
    writeFiles(changes, { within: project });
    expect(filesUnder(project)).toEqual(['a/b/one.txt', 'two.bin']);
    expect(readFileSync(join(project, 'two.bin'))).toEqual(Buffer.from([0, 255]));
  });

  it('replace a link at their name, and leave what it leads to', () => {
    const { project, home } = places();
    for (const [name, target] of [
      ['link.txt', join(home, '.bashrc')],
      ['dangling.txt', join(home, 'gone')],
      ['folder.txt', join(home, 'keys')],
    ] as const) {
      symlinkSync(target, join(project, name));
      writeFiles([{ path: join(project, name), contents: 'new' }], { within: project });
      expect(lstatSync(join(project, name)).isFile()).toBe(true);
      expect(read(join(project, name))).toBe('new');
    }
    expect(read(join(home, '.bashrc'))).toBe('mine');
    expect(filesUnder(home)).toEqual(['.bashrc', 'keys/id']);
  });

  it.each(['straight', 'through a chain', 'to a folder around the project', 'to nothing'])(
    'are not written behind a link out of the folder: %s',
    (way) => {
      const { project, home } = places();
      const target = { straight: home, 'to nothing': join(home, 'gone') }[way];
      if (way === 'through a chain') symlinkSync(home, join(project, 'other'));
      if (way === 'to a folder around the project') symlinkSync('..', join(project, 'link'));
      else symlinkSync(target ?? 'other', join(project, 'link'));
      const before = filesUnder(home);
      const changes = [
        { path: join(project, 'fine.txt'), contents: '' },
        { path: join(project, 'link', 'deep', 'new.txt'), contents: '' },
      ];
      expect(() => writeFiles(changes, { within: project })).toThrow('is a link that leads out of');
      expect(filesUnder(home)).toEqual(before);
      expect(existsSync(join(project, 'fine.txt'))).toBe(false);
      expect(existsSync(join(project, '..', 'deep'))).toBe(false);
    },
  );

  it('are written behind a link within the folder, and where the caller names another folder', () => {
    const { project, home } = places();
    mkdirSync(join(project, 'real'));
    symlinkSync('real', join(project, 'link'));
    writeFiles([{ path: join(project, 'link', 'new.txt'), contents: 'new' }], { within: project });
    expect(read(join(project, 'real', 'new.txt'))).toBe('new');
    writeFiles([{ path: join(home, 'named.txt'), contents: 'new' }], { within: project });
    expect(read(join(home, 'named.txt'))).toBe('new');
  });

  it('are written where the folder itself is behind a link', () => {
    const { project, home } = places();
    symlinkSync(project, join(home, 'work'));
    writeFiles([{ path: join(home, 'work', 'a', 'new.txt'), contents: 'new' }], { within: join(home, 'work') });
    expect(read(join(project, 'a', 'new.txt'))).toBe('new');
  });

  it('are all as before if one of them cannot be written', () => {
    const { project } = places();
    write(project, { 'one.txt': 'old', 'taken/inner.txt': '' });
    chmodSync(join(project, 'one.txt'), 0o640);
    symlinkSync('one.txt', join(project, 'link.txt'));
    const changes = ['one.txt', 'link.txt', 'new.txt', 'taken'].map((name) => ({
      path: join(project, name),
      contents: 'new',
    }));
    expect(() => writeFiles(changes, { within: project })).toThrow();
    expect(read(join(project, 'one.txt'))).toBe('old');
    if (isPosix) expect(statSync(join(project, 'one.txt')).mode & 0o777).toBe(0o640);
    expect(readlinkSync(join(project, 'link.txt'))).toBe('one.txt');
    expect(readdirSync(project).sort()).toEqual(['link.txt', 'one.txt', 'taken']);
  });

  it('keep their permissions, or have the given ones', () => {
    const { project } = places();
    write(project, { 'run.sh': '', 'kept.txt': '' });
    chmodSync(join(project, 'run.sh'), 0o750);
    writeFiles(
      [
        { path: join(project, 'run.sh'), contents: 'new' },
        { path: join(project, 'secret.json'), contents: 'new', mode: 0o600 },
      ],
      { within: project },
    );
    if (!isPosix) return;
    expect(statSync(join(project, 'run.sh')).mode & 0o777).toBe(0o750);
    expect(statSync(join(project, 'secret.json')).mode & 0o777).toBe(0o600);
  });
});

it('a file that is a link may stay one within the folder only', () => {
  const { project, home } = places();
  write(project, { 'real.json': '' });
  symlinkSync('real.json', join(project, 'inside.json'));
  symlinkSync(join(home, '.bashrc'), join(project, 'outside.json'));
  symlinkSync('outside.json', join(project, 'chain.json'));
  for (const name of ['inside.json', 'real.json', 'new.json'])
    expect(() => checkInside(join(project, name), project)).not.toThrow();
  for (const name of ['outside.json', 'chain.json'])
    expect(() => checkInside(join(project, name), project)).toThrow('is a link that leads out of');
});

describe('The cache of a project that somebody else has filled', () => {
  const old = new Date(0);

  it('is not behind a link: nothing is written there, and nothing old is removed', () => {
    const { project, home } = places();
    write(project, { 'package.json': '{}', 'tsconfig.json': '{}', 'main.ts': '' });
    linkCompiler(project);
    mkdirSync(join(project, 'node_modules', '.cache'));
    symlinkSync(home, join(project, 'node_modules', '.cache', 'sigil'));
    for (const name of ['.bashrc', 'keys']) utimesSync(join(home, name), old, old);
    expect(() => compileProject(join(project, 'main.ts'), stylesFor({}, {}))).toThrow('is a link that leads out of');
    storeTools(targetIn(project), []);
    expect(filesUnder(home)).toEqual(['.bashrc', 'keys/id']);
  });

  it('has files in the place of links', () => {
    const { project, home } = places();
    write(project, { 'package.json': '{}', 'node_modules/.cache/sigil/x': '' });
    const tools = join(project, 'node_modules', '.cache', 'sigil', 'tools.json');
    symlinkSync(join(home, '.bashrc'), tools);
    symlinkSync(join(home, '.bashrc'), `${tools}.${process.pid}`);
    storeTools(targetIn(project), []);
    expect(read(tools)).toBe('{}');
    expect(read(join(home, '.bashrc'))).toBe('mine');
  });

  it('may be in a folder of packages that is a link', () => {
    const { project, home } = places();
    write(project, { 'package.json': '{}' });
    mkdirSync(join(home, 'packages'));
    symlinkSync(join(home, 'packages'), join(project, 'node_modules'));
    expect(statSync(openCache(project)).isDirectory()).toBe(true);
  });
});

describe('sigil dev --record', () => {
  const record = async (project: string): Promise<string> => {
    const spy = jest.spyOn(process, 'cwd').mockReturnValue(project);
    try {
      return (await runCaptured('dev', join(project, 'main.js'), '--record', join(project, 'calls.jsonl'))).stderr;
    } finally {
      spy.mockRestore();
    }
  };

  it('appends to no file that a link leads to, in the current folder or outside of it', async () => {
    const { project, home } = places();
    write(project, { 'package.json': '{}', 'main.js': '' });
    symlinkSync(join(home, '.bashrc'), join(project, 'calls.jsonl'));
    expect(await record(project)).toContain('is a link that leads out of');
    rmSync(join(project, 'calls.jsonl'));
    symlinkSync('main.js', join(project, 'calls.jsonl'));
    expect(await record(project)).toContain('calls.jsonl: it is a link');
    expect([read(join(home, '.bashrc')), read(join(project, 'main.js'))]).toEqual(['mine', '']);
  });
});

describe('A new file', () => {
  it('is written whole with its folders, and never in the place of anything', () => {
    const { project, home } = places();
    const path = join(project, 'a', 'new.txt');
    writeNewFile(path, 'new', { mode: 0o600 });
    expect(read(path)).toBe('new');
    if (isPosix) expect(statSync(path).mode & 0o777).toBe(0o600);
    symlinkSync(join(home, 'gone'), join(project, 'link'));
    for (const taken of [path, join(project, 'link')]) {
      expect(() => writeNewFile(taken, 'other')).toThrow('EEXIST');
      expect(() => copyToNewFile(join(home, '.bashrc'), taken)).toThrow('EEXIST');
    }
    expect([read(path), filesUnder(home)]).toEqual(['new', ['.bashrc', 'keys/id']]);
  });

  it('that is private is no longer read by others, and a device stays as it is', () => {
    if (!isPosix) return;
    const { project } = places();
    write(project, { 'calls.jsonl': 'old' });
    chmodSync(join(project, 'calls.jsonl'), 0o664);
    for (const name of ['calls.jsonl', 'new.jsonl']) {
      preparePrivateFile(join(project, name));
      expect(statSync(join(project, name)).mode & 0o777).toBe(0o600);
    }
    expect(read(join(project, 'calls.jsonl'))).toBe('old');
    expect(() => preparePrivateFile('/dev/null')).not.toThrow();
  });
});
