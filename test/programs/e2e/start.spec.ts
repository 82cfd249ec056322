/** `npm start`, which serves the weather over HTTP, and `npm run demo`, which shows it over stdio. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { builtApp } from './built-app';
import { HttpApp } from './http-app';

const run = promisify(execFile);

describe('the served weather', () => {
  it('says how clients connect, in words that work, and ends on Ctrl+C', async () => {
    const server = await HttpApp.start('weather', {}, 'start.js');
    await server.hears("-d '");
    const said = server.stderr();
    const [, url = ''] = /The weather server is at (\S+)/.exec(said) ?? [];
    expect(said).toContain(`claude mcp add --transport http weather ${url}\n`);
    const configurations = [...said.matchAll(/^ {2}\{\n[\s\S]*?^ {2}\}$/gm)].map(
      ([text]) => JSON.parse(text) as unknown,
    );
    expect(configurations).toEqual([
      { mcpServers: { weather: { type: 'http', url } } },
      { mcpServers: { weather: { command: 'node', args: [builtApp('weather')] } } },
    ]);
    expect(await curl(said.slice(said.indexOf('curl ')))).toMatchObject({ result: { tools: [{}, {}, {}] } });
    server.kill('SIGINT');
    expect(await server.exit).toEqual({ code: 0, signal: null });
  });
});

/** Does what the line of curl says. */
async function curl(line: string): Promise<unknown> {
  const [, url = ''] = /^curl (\S+)/.exec(line) ?? [];
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']): [string, string] => [
    name,
    value,
  ]);
  const [, body = ''] = /-d '([^']+)'/.exec(line) ?? [];
  return (await fetch(url, { method: 'POST', headers, body })).json();
}

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
