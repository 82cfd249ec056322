/** Each example, started and called as its README says. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../support/free-port';
import { patternOf, readReadme, Shell, type Readme } from './followed-readme';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');

let shell: Shell;
beforeAll(async () => void (shell = await Shell.open()));
afterAll(() => shell.close());

describe.each(readdirSync(join(root, 'apps')))('apps/%s', (app) => {
  let readme: Readme;
  let server: ChildProcess;
  let log = '';

  beforeAll(async () => {
    const port = await freePort();
    readme = readReadme(app, port);
    expect(readme.start).toMatch(new RegExp(`^cd apps/${app} && npm start\\n$`));
    // A group of its own: npm does not always pass a signal on.
    server = spawn('bash', ['-c', readme.start], {
      cwd: root,
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [server.stdout, server.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (log += text));
    const listening = `http://127.0.0.1:${port}/mcp`;
    while (!log.includes(listening)) {
      if (server.exitCode !== null) throw new Error(log);
      await Promise.race([once(server.stdout!, 'data'), once(server.stderr!, 'data'), once(server, 'close')]);
    }
  }, 120_000);

  afterAll(async () => {
    const closed = once(server, 'close');
    process.kill(-server.pid!, 'SIGTERM');
    await closed;
  });

  it('answers the commands of its README as it says', async () => {
    expect(readme.steps.length).toBeGreaterThan(0);
    for (const { commands, printed } of readme.steps) {
      expect([commands, printed]).toEqual([commands, expect.stringMatching(/./)]);
      expect([commands, await shell.type(commands)]).toEqual([
        commands,
        expect.stringMatching(new RegExp(`^${patternOf(printed)}\\s*$`)),
      ]);
    }
    for (const text of readme.logged) expect(log).toMatch(new RegExp(patternOf(text)));
  });
});
