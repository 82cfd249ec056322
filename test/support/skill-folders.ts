/** Folders of skills for one test, on disk. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder with files, which is removed after the test. */
export function folderOf(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sigil-skills-'));
  made.push(folder);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A SKILL.md with the least front matter. */
export function skillText(name: string, body = '', more = ''): string {
  return `---\nname: ${name}\ndescription: Does ${name}.\n${more}---\n${body}`;
}
