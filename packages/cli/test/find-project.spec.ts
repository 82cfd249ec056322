/** The folder of a project, by its package.json. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findProject } from '../src/project/find-project';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterAll(() => folders.removeAll());

it.each(['mkfifo', 'mkdir'])(
  'a package.json that %s has made is refused, because reading a pipe would wait for ever',
  (program) => {
    // Windows has no pipes in folders.
    if (process.platform === 'win32') return;
    const folder = folders.make();
    execFileSync(program, ['package.json'], { cwd: folder });
    mkdirSync(join(folder, 'src'));
    expect(() => findProject(join(folder, 'src'))).toThrow(
      `${join(folder, 'package.json')} cannot be read: it is not a file.`,
    );
  },
);
