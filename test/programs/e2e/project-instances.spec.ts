/** A new project over stdio becomes several instances over HTTP as docs/deployment.md says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RedisServer } from '../../support/supplies/redis-server';
import { describeWith } from '../../support/supplies/supply';
import { edited, stepsOf } from '../packaging/tutorial-page';
import { run } from '../packaging/run-command';
import { sigil } from './terminal';

jest.setTimeout(120_000);

const root = join(__dirname, '..', '..', '..');
const TSC = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
const HANDSHAKE = '2025-11-25';
const post = (url: string, method: string, params: object, session: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');

describeWith('redis-server', 'a project of sigil new --yes', () => {
  let folder: string;
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
    // Within the repository, so that it finds the packages.
    mkdirSync(join(root, '.sigil'), { recursive: true });
    folder = realpathSync(mkdtempSync(join(root, '.sigil', 'instances-')));
  });
  afterAll(async () => {
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Starts an instance. Returns its URL, and what stops it and returns its exit code. */
  async function start(project: string): Promise<{ readonly url: string; stop(): Promise<unknown> }> {
    const env = { ...process.env, PORT: '0', REDIS_URL: redis.url, SIGIL_SECRETS: 's'.repeat(32) };
    const child = spawn(process.execPath, ['dist/main.js'], { cwd: project, env, stdio: ['ignore', 'ignore', 'pipe'] });
    const exit = once(child, 'exit');
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    const urlOf = (): string | undefined => /http:\/\/[^"\s]+/.exec(said)?.[0];
    while (urlOf() === undefined) {
      if (child.exitCode !== null) throw new Error(said);
      await Promise.race([once(child.stderr, 'data'), exit]);
    }
    return {
      url: urlOf() ?? '',
      stop: async () => {
        child.kill('SIGTERM');
        const [code] = (await exit) as [number | null];
        return code;
      },
    };
  }

  it('serves one session at several instances after the edits of the page', async () => {
    const project = join(folder, 'notes');
    expect(await sigil(['new', project, '--yes', '--no-install', '--no-git'])).toMatchObject({ status: 0 });
    const page = read(root, 'docs', 'deployment.md');
    const [section = ''] = /^### Add HTTP and Redis to a project\n[^]*?(?=^###)/m.exec(page) ?? [];
    const steps = stepsOf(section);
    expect(steps.map(({ kind }) => kind)).toEqual(['commands', 'edit', 'file']);
    // All that the page tells its readers to write is in this section.
    expect(page.match(/^`[\w./-]+`\n\n```/gm)).toHaveLength(2);
    for (const step of steps) {
      if (step.kind === 'edit') writeFileSync(join(project, step.path), edited(read(project, step.path), step.text));
      if (step.kind === 'file') writeFileSync(join(project, step.path), step.text);
    }
    writeFileSync(join(project, 'src', 'connect-redis.ts'), read(root, 'apps', 'secured', 'src', 'connect-redis.ts'));
    expect(await run(process.execPath, [TSC], project)).toMatchObject({ code: 0, stdout: '' });
    expect(await run(process.execPath, [TSC, '-p', 'test'], project)).toMatchObject({ code: 0, stdout: '' });

    const [one, other] = [await start(project), await start(project)];
    const clientInfo = { name: 'test', version: '1' };
    const opened = await post(one.url, 'initialize', { protocolVersion: HANDSHAKE, capabilities: {}, clientInfo });
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '', 'mcp-protocol-version': HANDSHAKE };
    const called = await post(other.url, 'tools/list', {}, session);
    expect([called.status, await called.text()]).toEqual([200, expect.stringContaining('takeNote')]);
    expect(await Promise.all([one.stop(), other.stop()])).toEqual([0, 0]);
  });
});
