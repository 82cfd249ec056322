/** Where the command stores what V8 has compiled of it, and that nothing can go wrong with it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCompileCache } from '../src/compile-cache';

const main = join(__dirname, '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'sigil-compile-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folder that Node is given; undefined if it is given none. */
function folderFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv = {}, home = () => '/users/ada'): unknown {
  const enableCompileCache = jest.fn();
  openCompileCache({ enableCompileCache }, { platform, env, home });
  const [call] = enableCompileCache.mock.calls as unknown[][];
  return call?.[0];
}

describe('the folder of the compile cache', () => {
  it.each([
    ['linux', {}, '/users/ada/.cache/sigil/compile-cache'],
    ['linux', { XDG_CACHE_HOME: '/caches' }, '/caches/sigil/compile-cache'],
    ['darwin', {}, '/users/ada/Library/Caches/sigil/compile-cache'],
    ['win32', { LOCALAPPDATA: '/local' }, '/local/sigil/compile-cache'],
    ['win32', {}, '/users/ada/AppData/Local/sigil/compile-cache'],
  ] as const)('belongs to the user on %s with %j', (platform, env, expected) => {
    expect(folderFor(platform, env)).toBe(join(expected));
  });

  it('is none for a user without a home, and for a Node without a cache', () => {
    const home = (): string => {
      throw new Error('ENOENT: no such user');
    };
    expect(folderFor('linux', {}, home)).toBeUndefined();
    expect(() => openCompileCache({})).not.toThrow();
  });
});

describe('the command', () => {
  const caches = join(folder, 'caches');
  const version = (cache: string, env: object = {}): { stdout: string; stderr: string; status: number | null } => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [main, '--version'], {
      encoding: 'utf8',
      env: { ...process.env, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache, HOME: cache, ...env },
    });
    return { stdout, stderr, status };
  };
  const answer = { stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/) as string, stderr: '', status: 0 };
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const hasCache = major > 22 || (major === 22 && minor >= 8);
  const filesIn = (cache: string): string[] => {
    mkdirSync(cache, { recursive: true });
    return readdirSync(cache, { recursive: true }).map(String);
  };

  it('stores what V8 compiles where Node can, and prints the same with it', () => {
    expect(version(caches)).toEqual(answer);
    expect(filesIn(caches).length > 0).toBe(hasCache);
    expect(version(caches)).toEqual(answer);
  });

  it('stores nothing with NODE_DISABLE_COMPILE_CACHE', () => {
    const cache = join(folder, 'disabled');
    expect(version(cache, { NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(answer);
    expect(filesIn(cache)).toEqual([]);
  });

  it('prints nothing of a folder that cannot be written, or that is a file', () => {
    const locked = join(folder, 'locked');
    mkdirSync(locked);
    chmodSync(locked, 0o500);
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const cache of [locked, file]) expect(version(cache)).toEqual(answer);
  });
});
