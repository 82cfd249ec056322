/**
 * `npm run record`: runs the commands of the README in an empty folder, and draws the terminal as docs/public/first-minute.svg.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { prepare, root, runScript, SetUpFailure } from './prepare.mjs';
import { drawTerminal } from './recording/draw-terminal.mjs';
import { runNode } from './run-command.mjs';

const COLUMNS = 92;
const picture = join(root, 'docs', 'public', 'first-minute.svg');
const sigil = join('node_modules', '@sigil-mcp', 'cli', 'dist', 'main.js');

await runScript(async () => {
  await prepare();
  const folder = mkdtempSync(join(tmpdir(), 'sigil-'));
  try {
    const played = await play(folder);
    mkdirSync(dirname(picture), { recursive: true });
    writeFileSync(picture, drawTerminal(played, { columns: COLUMNS, title: 'A new server, looked at and called' }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return 0;
});

async function play(folder) {
  const project = join(folder, 'notes');
  const make = join(root, 'scripts', 'new.mjs');
  const env = { ...process.env, INIT_CWD: folder, FORCE_COLOR: '1', COLUMNS: String(COLUMNS) };
  const run = async (command, program, words, options) => {
    const { code, output } = await runNode(program, words, { env, capture: true, ...options });
    if (code !== 0) throw new SetUpFailure(`${output}\n${command} ended with ${code}.`);
    // The folders of this machine are not shown.
    return { command, output: output.replaceAll(project, '~/notes').replaceAll(folder, '~') };
  };
  const made = await run('npm run new -- ../notes --yes', make, ['notes', '--yes'], { cwd: folder });
  const told = made.output.split('\n').filter((line) => /^(Wrote|Installed|Compiled)/.test(line));
  const at = { cwd: project };
  return [
    { command: made.command, output: told.join('\n') },
    { command: 'cd ../notes', output: '' },
    await run('npx sigil inspect', sigil, ['inspect', '.'], at),
    await run(
      'npx sigil call . takeNote title=milk text="Two bottles."',
      sigil,
      ['call', '.', 'takeNote', 'title=milk', 'text=Two bottles.'],
      at,
    ),
  ];
}
