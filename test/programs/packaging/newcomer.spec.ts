/** The first ten minutes of the README, typed as they stand there: every command runs, in its order. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { run } from './run-command';

const root = join(__dirname, '..', '..', '..');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-newcomer-')));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines of the block, without their comments. */
function commandsOf(text: string): string[] {
  const [, block = ''] = /<!-- commands: newcomer -->\n```sh\n([\s\S]*?)```/.exec(text) ?? [];
  return block.split('\n').flatMap((line) => line.replace(/\s+# .*$/, '').trim() || []);
}

/** What a newcomer may look for in what is printed. */
const SAYS: Readonly<Record<string, RegExp>> = {
  'npm run new': /my-server is ready:/,
  'npm run inspect': /takeNote {2}\[idempotent\]/,
  'npx sigil call': /^Took the note "milk"\.$/m,
  'npx sigil add': /Added the tool countNotes/,
  'npx sigil doctor': /No problems found\./,
};

it('is a server of its own in a few commands, each of which works', async () => {
  const commands = commandsOf(readFileSync(join(root, 'README.md'), 'utf8'));
  expect(commands).toHaveLength(7);
  let place = root;
  for (const command of commands) {
    const [, target] = /^cd (.+)$/.exec(command) ?? [];
    if (target !== undefined) {
      // The README's folder stands beside the clone; a test must not write there.
      place = join(folder, basename(resolve(place, target)));
      expect(existsSync(place)).toBe(true);
      continue;
    }
    const typed = command.replace('../my-server', `${join(folder, 'my-server')} --yes`);
    const { code, stdout, stderr } = await run('sh', ['-c', typed], place);
    const output = `${stdout}${stderr}`;
    expect([command, code, code === 0 ? '' : output]).toEqual([command, 0, '']);
    const [, expected] = Object.entries(SAYS).find(([words]) => command.startsWith(words)) ?? [];
    if (expected) expect(output).toMatch(expected);
  }
}, 300_000);
