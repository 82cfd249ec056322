/** Waits of the command line at a real terminal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWithTerminal, Terminal } from './terminal';

jest.setTimeout(150_000);

describeWithTerminal('a wait of more than a second', () => {
  it('is named on the terminal, and the line goes when it ends', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-waits-'));
    // It answers nothing before the end of a wait.
    writeFileSync(join(folder, 'slow.js'), 'setTimeout(() => process.exit(3), 4000);');
    const terminal = new Terminal(['inspect', 'slow.js'], { cwd: folder, columns: 120 });
    await terminal.sees('Waiting for "slow.js" to answer … 2 s');
    expect(await terminal.exit).toBe(4);
    expect(terminal.screen).not.toContain('Waiting');
    rmSync(folder, { recursive: true });
  });
});
