/** The lock of the set-up: that of packages/audit, compiled, because the set-up runs before anything is installed or built. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { leaveLock } from '../../support/killed-owner';

const scripts = join(__dirname, '..', '..', '..', 'scripts');

it('is compiled from the one implementation there is', () => {
  const printed = execFileSync(process.execPath, [join(scripts, 'write-set-up-lock.mjs'), '--check'], {
    encoding: 'utf8',
  });
  expect(printed).toBe('scripts/file-lock.mjs is up to date.\n');
});

it('is taken over from a set-up that was killed, without waiting, and given back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-set-up-'));
  try {
    leaveLock(join(folder, 'set-up.lock'));
    const program = `import(process.argv[1]).then(async ({ holdSetUpLock }) => (await holdSetUpLock(process.argv[2]))());`;
    const module = pathToFileURL(join(scripts, 'set-up-lock.mjs')).href;
    execFileSync(process.execPath, ['-e', program, module, folder], { stdio: 'pipe' });
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
