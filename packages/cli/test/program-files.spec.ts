/** What of a folder belongs to a program, for every command that copies one. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { copyBesideFiles } from '../src/build/beside-files';
import { copyProgramFiles, describeLeft, programFiles } from '../src/files/program-files';
import { runCaptured } from '../../../test/support/captured-cli';
import { filesUnder, linkCompiler, TemporaryFolders, write } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const SKILL = '---\nname: orders\ndescription: How to order.\n---\n';

/** A skill that was cloned, and a home with secrets. */
function places(): { readonly project: string; readonly skill: string; readonly home: string } {
  const home = folders.make({ '.ssh/id_rsa': 'PRIVATE KEY', 'notes.txt': 'PRIVATE NOTES' });
  const project = folders.make({
    'package.json': '{}',
    'skills/orders/SKILL.md': SKILL,
    'skills/orders/references/prices.md': 'prices',
    'skills/orders/.git/config': 'https://token@example.com',
    'skills/orders/.npmrc': 'token',
    'skills/orders/.env': 'SECRET=1',
    'skills/orders/references/.env.local': 'SECRET=1',
    'skills/orders/references/.cache/deep/file.txt': 'cached',
  });
  return { project, home, skill: join(project, 'skills/orders') };
}

const textsUnder = (folder: string): string =>
  filesUnder(folder)
    .map((name) => `${name} ${readFileSync(join(folder, name), 'utf8')}`)
    .join('\n');

describe('The files of a program', () => {
  it('have no hidden ones, at any depth', () => {
    const { skill } = places();
    const { files, left } = programFiles(skill);
    expect(files).toEqual(['SKILL.md', 'references/prices.md']);
    expect(left.map(({ path }) => path)).toEqual([
      '.env',
      '.git',
      '.npmrc',
      'references/.cache',
      'references/.env.local',
    ]);
  });

  it('have no links that lead out of the folder, hidden or not', () => {
    const { skill, home } = places();
    symlinkSync(join(home, '.ssh'), join(skill, '.cache'));
    symlinkSync(join(home, '.ssh'), join(skill, 'keys'));
    symlinkSync(join(home, 'notes.txt'), join(skill, 'notes.txt'));
    symlinkSync('keys', join(skill, 'chain'));
    symlinkSync('keys/id_rsa', join(skill, 'through'));
    symlinkSync('..', join(skill, 'above'));
    symlinkSync('.', join(skill, 'itself'));
    symlinkSync('..', join(skill, 'references', 'around'));
    symlinkSync('gone', join(skill, 'nothing'));
    symlinkSync('.git/config', join(skill, 'config.txt'));
    symlinkSync('.git', join(skill, 'repository'));
    const { files, left } = programFiles(skill);
    expect(files).toEqual(['SKILL.md', 'references/prices.md']);
    const names = left.filter(({ why }) => why === 'link').map(({ path }) => path);
    expect(names).toEqual(
      [
        ...['above', 'chain', 'config.txt', 'itself', 'keys', 'notes.txt'],
        ...['nothing', 'references/around', 'repository', 'through'],
      ].sort(),
    );
  });

  it('have what links within the folder lead to', () => {
    const { skill } = places();
    symlinkSync('references', join(skill, 'refs'));
    symlinkSync('refs/prices.md', join(skill, 'prices.md'));
    const target = folders.make();
    copyProgramFiles(skill, join(target, 'orders'));
    expect(filesUnder(target)).toEqual([
      'orders/SKILL.md',
      'orders/prices.md',
      'orders/references/prices.md',
      'orders/refs/prices.md',
    ]);
    expect(readFileSync(join(target, 'orders/prices.md'), 'utf8')).toBe('prices');
  });

  it('have no pipes, which nobody would write to', () => {
    // Windows has none in a folder.
    if (process.platform === 'win32') return;
    const { skill } = places();
    execFileSync('mkfifo', [join(skill, 'pipe')]);
    expect(programFiles(skill).left).toContainEqual({ path: 'pipe', why: 'special' });
  });

  it('are as many as one reads: links that repeat folders end', () => {
    const folder = folders.make({ 'a0/file': '' });
    for (let level = 1; level < 20; level++) {
      mkdirSync(join(folder, `a${level}`));
      for (const name of ['one', 'two']) symlinkSync(`../a${level - 1}`, join(folder, `a${level}`, name));
    }
    expect(() => programFiles(folder)).toThrow('more than 50000 files and folders');
  });

  it('are said to be left out in one line', () => {
    const left = Array.from({ length: 9 }, (_, index) => ({ path: `.${index}\nx`, why: 'hidden' as const }));
    expect(describeLeft([])).toEqual([]);
    expect(describeLeft([{ path: 'keys', why: 'link' }])).toEqual([
      '  left out (hidden files, and links out of the folder): keys',
    ]);
    expect(describeLeft(left)).toEqual([
      '  left out (hidden files, and links out of the folder): .0 x, .1 x, .2 x, .3 x, .4 x, and 4 more',
    ]);
  });
});

describe('The files beside a bundle', () => {
  it('are those of the program, and what was left out is returned', () => {
    const { project, skill, home } = places();
    symlinkSync(join(home, '.ssh'), join(skill, 'keys'));
    const target = folders.make();
    const left = copyBesideFiles(new Map([[join(project, 'skills'), 'files/skills']]), { folder: project, target });
    expect(filesUnder(target)).toEqual(['files/skills/orders/SKILL.md', 'files/skills/orders/references/prices.md']);
    expect(textsUnder(target)).not.toMatch(/token|SECRET|PRIVATE/);
    expect(left.map(({ path }) => path)).toContain('skills/orders/.git');
    expect(left.map(({ path }) => path)).toContain('skills/orders/keys');
  });

  it.each(['a folder', 'a file', 'a folder on the way'])('are refused if %s is a link out of the project', (what) => {
    const { project, home } = places();
    const target = folders.make();
    const named = { 'a folder': 'data', 'a file': 'key.md', 'a folder on the way': 'data/.ssh' }[what] ?? '';
    symlinkSync(what === 'a file' ? join(home, '.ssh/id_rsa') : home, join(project, named.split('/')[0] ?? ''));
    const found = new Map([[join(project, named), `files/${named}`]]);
    expect(() => copyBesideFiles(found, { folder: project, target })).toThrow('leads out of');
    expect(existsSync(join(target, 'files'))).toBe(false);
  });

  it('may be in a folder that the program names outside of the project, or with a hidden name', () => {
    const { project } = places();
    const shared = folders.make({ 'skills/a/SKILL.md': SKILL, '.claude/skills/b/SKILL.md': SKILL });
    const target = folders.make();
    const found = new Map([
      [join(shared, 'skills'), 'files/skills'],
      [join(shared, '.claude/skills'), 'files/hidden'],
    ]);
    expect(copyBesideFiles(found, { folder: project, target })).toEqual([]);
    expect(filesUnder(target)).toEqual(['files/hidden/b/SKILL.md', 'files/skills/a/SKILL.md']);
  });

  it('are no hidden file, even if the program names it', () => {
    const { project } = places();
    write(project, { 'src/.env': 'SECRET=1' });
    const target = folders.make();
    const left = copyBesideFiles(new Map([[join(project, 'src/.env'), 'files/src/.env']]), { folder: project, target });
    expect(left).toEqual([{ path: 'src/.env', why: 'hidden' }]);
    expect(filesUnder(target)).toEqual([]);
  });

  it('are written through no link that is in their place', () => {
    const { project, home } = places();
    const target = folders.make();
    symlinkSync(home, join(target, 'files'));
    const found = new Map([[join(project, 'skills'), 'files/skills']]);
    expect(() => copyBesideFiles(found, { folder: project, target })).toThrow('is a link that leads out of');
    expect(filesUnder(home)).toEqual(['.ssh/id_rsa', 'notes.txt']);
  });
});

describe('sigil copy', () => {
  const copy = async (folder: string) => {
    const spy = jest.spyOn(process, 'cwd').mockReturnValue(folder);
    try {
      return await runCaptured('copy');
    } finally {
      spy.mockRestore();
    }
  };

  it('copies no hidden files, follows no links out of the sources, and says so', async () => {
    const { home } = places();
    const project = folders.make({
      'package.json': '{}',
      'tsconfig.json': JSON.stringify({
        compilerOptions: { types: [], rootDir: 'src', outDir: 'dist' },
        include: ['src'],
      }),
      'src/main.ts': '',
      'src/view.html': '<!doctype html>',
      'src/skills/orders/SKILL.md': SKILL,
      'src/skills/orders/.git/config': 'token',
    });
    linkCompiler(project);
    symlinkSync(join(home, '.ssh'), join(project, 'src/skills/orders/keys'));
    symlinkSync(join(home, 'notes.txt'), join(project, 'src/notes.txt'));
    symlinkSync(home, join(project, 'src/data'));
    write(home, { 'view.html': 'mine' });
    mkdirSync(join(project, 'dist'));
    symlinkSync(join(home, 'view.html'), join(project, 'dist/view.html'));
    const { status, stdout } = await copy(project);
    expect(status).toBe(0);
    expect(filesUnder(join(project, 'dist'))).toEqual(['skills/orders/SKILL.md', 'view.html']);
    expect(readFileSync(join(home, 'view.html'), 'utf8')).toBe('mine');
    expect(stdout).toBe(
      'Copied to dist: skills/orders, view.html\n' +
        '  left out (hidden files, and links out of the folder): data, notes.txt, skills/orders/.git, skills/orders/keys\n',
    );
  });
});
