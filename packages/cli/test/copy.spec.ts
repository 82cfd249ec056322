/** Files next to the sources follow the compiler to its output. */
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCaptured, type Said } from '../../../test/support/captured-cli';
import { filesUnder, TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const settings = (compilerOptions: object, more: object = { include: ['src'] }): string =>
  JSON.stringify({ compilerOptions: { types: [], ...compilerOptions }, ...more });
const IN_DIST = settings({ rootDir: 'src', outDir: 'dist' });
const SOURCES = {
  'src/main.ts': '',
  'src/orders/orders.feature.ts': '',
  'src/orders/ordering.md': 'How to order',
  'src/views/chart.html': '<!doctype html>',
  'src/skills/refunds/SKILL.md': 'refunds',
  'src/skills/refunds/scripts/run.ts': 'a script of the skill',
  'src/types.d.ts': '',
  'src/.secret': '',
};

function project(files: Readonly<Record<string, string>>): string {
  const folder = folders.make({ 'package.json': '{}', ...files });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(dirname(require.resolve('typescript/package.json')), join(folder, 'node_modules', 'typescript'), 'dir');
  return folder;
}

async function copy(folder: string, ...words: string[]): Promise<Said> {
  const spy = jest.spyOn(process, 'cwd').mockReturnValue(folder);
  try {
    return await runCaptured('copy', ...words);
  } finally {
    spy.mockRestore();
  }
}

const inDist = (folder: string): string[] => filesUnder(join(folder, 'dist')).sort();

describe('sigil copy', () => {
  it('copies what is no source, and skills whole', async () => {
    const folder = project({ 'tsconfig.json': IN_DIST, ...SOURCES });
    expect(await copy(folder)).toEqual({
      status: 0,
      stderr: '',
      stdout: 'Copied to dist: orders/ordering.md, skills/refunds, views/chart.html\n',
    });
    expect(inDist(folder)).toEqual([
      'orders/ordering.md',
      'skills/refunds/SKILL.md',
      'skills/refunds/scripts/run.ts',
      'views/chart.html',
    ]);
  });

  it('replaces what has changed, and removes from skills what their sources do not have', async () => {
    const compiled = {
      'dist/skills/refunds/scripts/run.js': 'compiled',
      'dist/orders/ordering.md': 'old',
      'dist/own.json': '',
    };
    const folder = project({ 'tsconfig.json': IN_DIST, ...SOURCES, ...compiled });
    await copy(folder);
    await copy(folder);
    expect(existsSync(join(folder, 'dist/skills/refunds/scripts/run.js'))).toBe(false);
    expect(existsSync(join(folder, 'dist/own.json'))).toBe(true);
    expect(readFileSync(join(folder, 'dist/orders/ordering.md'), 'utf8')).toBe('How to order');
  });

  it('finds the folders of the sources without rootDir, and other settings', async () => {
    const folder = project({ 'tsconfig.build.json': settings({ outDir: 'dist' }), ...SOURCES });
    expect((await copy(folder, '--project', 'tsconfig.build.json')).stdout).toContain('orders/ordering.md');
    expect(inDist(folder)).toContain('orders/ordering.md');
  });

  it('leaves the rest of a project alone whose sources are in its own folder', async () => {
    const folder = project({
      'tsconfig.json': settings({ rootDir: '.', outDir: 'dist' }),
      ...SOURCES,
      'README.md': '',
      'test/data.json': '',
    });
    await copy(folder);
    expect(inDist(folder)).toContain('src/orders/ordering.md');
    expect(inDist(folder)).not.toContain('README.md');
    expect(inDist(folder)).not.toContain('test/data.json');
  });

  it('has nothing to do where compiled files lie next to the sources', async () => {
    const folder = project({ 'tsconfig.json': settings({}), ...SOURCES });
    expect(await copy(folder)).toEqual({ status: 0, stderr: '', stdout: '' });
  });

  it('says what is missing', async () => {
    const { status, stderr } = await copy(project(SOURCES));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining('SIGIL_COPY_SETTINGS') as unknown,
    });
    const folder = project({ 'tsconfig.json': IN_DIST, ...SOURCES });
    writeFileSync(join(folder, 'dist'), 'a file in the way');
    expect((await copy(folder)).stderr).toContain('SIGIL_COPY_FAILED');
  });
});
