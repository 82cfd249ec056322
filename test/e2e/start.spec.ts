/** `npm start`: the weather server's demonstration of itself. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtApp } from './built-app';

const run = promisify(execFile);

describe('the demonstration', () => {
  it('shows each kind of request, and how to configure an application, and ends with exit code 0', async () => {
    const { stdout, stderr } = await run(process.execPath, [builtApp('weather', 'demo.js')]);
    expect(stderr).toBe('');
    const headings = stdout.match(/^\d\. \w+/gm);
    expect(headings).toEqual([
      '1. Meet',
      '2. List',
      '3. Call',
      '4. Fail',
      '5. Read',
      '6. Complete',
      '7. Get',
      '8. The',
      '9. Leave',
    ]);
    expect(stdout).toContain('Did you mean Oslo?');
    expect(stdout).toContain('["Cairo","Cape Town"]');
    expect(stdout).toContain('notifications/progress {"progressToken":"demo"');
    const configuration = JSON.parse(stdout.slice(stdout.indexOf('  {\n'))) as unknown;
    expect(configuration).toEqual({
      mcpServers: { weather: { command: 'node', args: [builtApp('weather')] } },
    });
  });

  it('says why and ends with exit code 1 when the server does not start', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-demo-'));
    try {
      const built = dirname(builtApp('weather'));
      for (const part of ['demo.js', 'demo']) cpSync(join(built, part), join(folder, part), { recursive: true });
      const demonstration = run(process.execPath, [join(folder, 'demo.js')]); // there is no main.js beside it
      await expect(demonstration).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining('Cannot find module'),
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
