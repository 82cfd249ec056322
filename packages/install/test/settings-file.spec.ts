import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FileLock } from '@sigil-mcp/audit/file-lock';
import { leaveLock } from '../../../test/support/killed-owner';
import { changeSettingsFile, readSettingsFile } from '../src/settings-file';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const { signal } = new AbortController();
const append =
  (added: string) =>
  (text: string): string =>
    text + added;
const read = (path: string): string => readFileSync(path, 'utf8');

describe('A file of settings', () => {
  it('is created with its folders, for the user alone', async () => {
    const path = join(folders.make(), 'a', 'b', 'mcp.json');
    expect(await changeSettingsFile(path, { edit: append('{}'), signal })).toEqual({ copy: undefined });
    expect(read(path)).toBe('{}');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(path, '..'))).toEqual(['mcp.json']);
  });

  it('is replaced as a whole, with its permissions, its byte order mark and a copy', async () => {
    const folder = folders.make({ 'mcp.json': '\uFEFF1' });
    const path = join(folder, 'mcp.json');
    chmodSync(path, 0o640);
    const { ino } = statSync(path);
    const { copy } = await changeSettingsFile(path, { edit: append('2'), signal });
    expect(read(path)).toBe('\uFEFF12');
    expect(statSync(path).ino).not.toBe(ino);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(copy).toBe(`${path}.sigil-backup`);
    expect(read(copy ?? '')).toBe('\uFEFF1');
  });

  it('is not written if nothing changes', async () => {
    const folder = folders.make({ 'mcp.json': '1' });
    const before = statSync(join(folder, 'mcp.json')).mtimeMs;
    expect(await changeSettingsFile(join(folder, 'mcp.json'), { edit: (text) => text, signal })).toEqual({
      copy: undefined,
    });
    expect(statSync(join(folder, 'mcp.json')).mtimeMs).toBe(before);
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it('stays a link, and the file behind it changes', async () => {
    const folder = folders.make({ 'dotfiles/real.json': '1', 'home/.keep': '' });
    const link = join(folder, 'home', 'mcp.json');
    symlinkSync(join('..', 'dotfiles', 'real.json'), link);
    await changeSettingsFile(link, { edit: append('2'), signal });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(read(join(folder, 'dotfiles', 'real.json'))).toBe('12');
    expect(readdirSync(join(folder, 'home')).sort()).toEqual(['.keep', 'mcp.json']);
  });

  it('is not created behind a link to nothing', async () => {
    const folder = folders.make();
    symlinkSync(join(folder, 'gone'), join(folder, 'mcp.json'));
    const changed = changeSettingsFile(join(folder, 'mcp.json'), { edit: append('1'), signal });
    await expect(changed).rejects.toThrow('it is a link to a file that does not exist');
    expect(existsSync(join(folder, 'gone'))).toBe(false);
  });

  it('is not replaced if it is read-only, or a folder', async () => {
    const folder = folders.make({ 'mcp.json': '1' });
    chmodSync(join(folder, 'mcp.json'), 0o444);
    await expect(changeSettingsFile(join(folder, 'mcp.json'), { edit: append('2'), signal })).rejects.toThrow(
      'it is read-only',
    );
    mkdirSync(join(folder, 'folder.json'));
    await expect(changeSettingsFile(join(folder, 'folder.json'), { edit: append('2'), signal })).rejects.toThrow(
      'it is not a file',
    );
    expect(read(join(folder, 'mcp.json'))).toBe('1');
  });

  it('is not created where a folder is a file', async () => {
    const folder = folders.make({ a: 'a file' });
    await expect(changeSettingsFile(join(folder, 'a', 'mcp.json'), { edit: append('1'), signal })).rejects.toThrow(
      'cannot be written',
    );
  });

  it('is not read if it is a pipe, which would wait for ever', async () => {
    // Windows has none in a folder.
    if (process.platform === 'win32') return;
    const pipe = join(folders.make(), 'mcp.json');
    execFileSync('mkfifo', [pipe]);
    expect(() => readSettingsFile(pipe)).toThrow('it is not a file');
    await expect(changeSettingsFile(pipe, { edit: append('1'), signal })).rejects.toThrow('it is not a file');
  });

  it('is refused if it is not UTF-8', () => {
    const folder = folders.make();
    writeFileSync(join(folder, 'mcp.json'), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(() => readSettingsFile(join(folder, 'mcp.json'))).toThrow('cannot be read');
  });

  it('has the changes of all who change it at once', async () => {
    const path = join(folders.make(), 'mcp.json');
    const names = Array.from({ length: 8 }, (_, index) => `${index};`);
    await Promise.all(names.map((name) => changeSettingsFile(path, { edit: append(name), signal })));
    expect(read(path).split(';').filter(Boolean).sort()).toEqual(names.map((name) => name.slice(0, -1)).sort());
    expect(readdirSync(join(path, '..')).sort()).toEqual(['mcp.json', 'mcp.json.sigil-backup']);
  });

  it('is unchanged if the edit fails, and others can change it afterwards', async () => {
    const path = join(folders.make({ 'mcp.json': '1' }), 'mcp.json');
    const failing = (): string => {
      throw new Error('no');
    };
    await expect(changeSettingsFile(path, { edit: failing, signal })).rejects.toThrow('no');
    await changeSettingsFile(path, { edit: append('2'), signal });
    expect(read(path)).toBe('12');
  });

  it('is changed although another sigil was killed while it changed the file', async () => {
    const folder = folders.make({ 'mcp.json': '1' });
    leaveLock(join(folder, '.mcp.json.sigil-lock'));
    await changeSettingsFile(join(folder, 'mcp.json'), { edit: append('2'), signal });
    expect(readdirSync(folder).sort()).toEqual(['mcp.json', 'mcp.json.sigil-backup']);
  });

  it('waits for another sigil until the command is stopped', async () => {
    const folder = folders.make({ 'mcp.json': '1' });
    FileLock.take(join(folder, '.mcp.json.sigil-lock'));
    const stop = new AbortController();
    const changed = changeSettingsFile(join(folder, 'mcp.json'), { edit: append('2'), signal: stop.signal });
    stop.abort();
    await expect(changed).rejects.toThrow();
    expect(read(join(folder, 'mcp.json'))).toBe('1');
  });
});
