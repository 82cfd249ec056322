/** `sigil dev --http` at a real terminal: its log is for people, and it has keys. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort } from '../../support/free-port';
import { DevProject } from './dev-project';
import { describeWithTerminal, Terminal } from './terminal';

jest.setTimeout(120_000);

describeWithTerminal('sigil dev at a terminal', () => {
  let project: DevProject;
  let terminal: Terminal;
  let port: number;
  beforeAll(async () => {
    project = new DevProject();
    project.edit(
      1,
      `
@Feature()
class Disk {
  @Tool('Fails')
  fill(): void {
    throw new Error('the disk is full');
  }
}
Object.assign(server, createServer({ name: 'versions', version: '1.0.0', features: [Versions, Disk] }));`,
    );
    port = await freePort();
    // A browser that notes the address that it is opened with.
    const browser = join(project.folder, 'browser');
    writeFileSync(browser, `#!/bin/sh\necho "$1" > '${project.folder}/opened'\n`, { mode: 0o755 });
    terminal = await open(140, { BROWSER: browser });
  });
  afterAll(() => {
    terminal.kill();
    project.remove();
  });

  async function open(columns: number, env: NodeJS.ProcessEnv = {}): Promise<Terminal> {
    const args = ['dev', '--http', '--port', String(port)];
    const opened = new Terminal(args, { columns, cwd: project.folder, env: { FORCE_COLOR: '0', ...env } });
    await opened.sees('version 1 ready in');
    return opened;
  }

  it('writes one line for a call, and an error with its message first and the calls of the author', async () => {
    const client = new Client({ name: 'ada-client', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)));
    await client.callTool({ name: 'version' });
    await terminal.sees('ada-client version');
    expect(terminal.screen).toMatch(/^\d\d:\d\d:\d\d ada-client version \d+ ms ok$/m);
    await client.callTool({ name: 'fill' }).catch(() => undefined);
    await terminal.sees('ada-client fill');
    expect(terminal.screen).toMatch(
      /^\d\d:\d\d:\d\d error tools\/call failed unexpectedly [^]*?\n {2}Error: the disk is full\n {4}at Disk\.fill \(src\/server\.ts:\d+:\d+\)\n/m,
    );
    expect(terminal.screen).toMatch(/^\d\d:\d\d:\d\d ada-client fill \d+ ms (?:error|failed): /m);
    expect(terminal.screen).not.toMatch(/node_modules|"stack"/);
    await client.close();
  });

  it('has the key o, which opens the address in the browser', async () => {
    // On other systems, no variable names the browser, and a test opens no real one.
    if (process.platform !== 'linux') return;
    const opened = join(project.folder, 'opened');
    terminal.press('o');
    while (!existsSync(opened) || readFileSync(opened, 'utf8') === '') await delay(20);
    expect(readFileSync(opened, 'utf8')).toBe(`http://127.0.0.1:${port}/mcp\n`);
    expect(terminal.screen).toMatch(new RegExp(`^sigil dev http://127.0.0.1:${port}/mcp$`, 'm'));
  });

  it('has keys: help, restart, inspect, clear, and quit', async () => {
    await terminal.sees('keys: p page, r restart, o open, i inspect, c clear, q quit, h help');
    terminal.press('r');
    await terminal.sees('version 2 ready in');
    terminal.press('i');
    await terminal.sees('Takes longer than anybody waits');
    terminal.press('c');
    const CLEARED = '\u001b[2J\u001b[3J\u001b[H';
    while (!terminal.bytes.includes(CLEARED)) await delay(20);
    terminal.press('?');
    while (!terminal.bytes.slice(terminal.bytes.indexOf(CLEARED)).includes('keys: ')) await delay(20);
    terminal.press('q');
    expect(await terminal.exit).toBe(0);
  });

  it('breaks long lines between words, and ends by Ctrl-C with 130', async () => {
    // Another one has the port until then.
    terminal.kill();
    await terminal.exit;
    const narrow = await open(50);
    expect(narrow.bytes).toContain(
      'sigil dev keys: p page, r restart, o open, i\r\ninspect, c clear, q quit, h help\r\n',
    );
    narrow.press('\u0003');
    expect(await narrow.exit).toBe(130);
  });
});
