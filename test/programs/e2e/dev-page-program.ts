/** `sigil dev` as a program, for tests of its page. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';
import { CLI, DevProject } from './dev-project';

/** Written before the program looks: otherwise this is a change, and makes a second version. */
function projectOf(server: string, beside: Readonly<Record<string, string>>): DevProject {
  const project = new DevProject();
  for (const [path, text] of Object.entries({ ...beside, 'src/server.ts': server }))
    writeFileSync(join(project.folder, path), text);
  return project;
}

/** The ways in which a server under development is reached. */
export const DEV_WAYS: Readonly<Record<string, (...project: Parameters<typeof Dev.start>) => Promise<Dev>>> = {
  HTTP: (...project) => Dev.start(...project),
  'stdin and stdout': async (...project) => Dev.onPipes(...project),
};

/** `sigil dev`, its page, and a client of its own. */
export class Dev {
  stderr = '';
  private constructor(
    readonly project: DevProject,
    readonly process: ChildProcess,
    readonly port: number,
  ) {
    process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** @param beside further files, by their paths below the project */
  static async start(server: string, beside: Readonly<Record<string, string>> = {}): Promise<Dev> {
    const [project, port] = [projectOf(server, beside), await freePort()];
    return new Dev(project, project.serve(port), port);
  }

  /** `sigil dev` on stdin and stdout, where nobody says anything. */
  static onPipes(server: string, beside: Readonly<Record<string, string>> = {}): Dev {
    const project = projectOf(server, beside);
    const program = spawn(process.execPath, [CLI, 'dev'], { cwd: project.folder, stdio: ['pipe', 'ignore', 'pipe'] });
    return new Dev(project, program, 0);
  }

  /** Where clients connect. */
  get address(): string {
    return `http://127.0.0.1:${this.port}/mcp`;
  }

  write(server: string): void {
    writeFileSync(join(this.project.folder, 'src', 'server.ts'), server);
  }

  /** What was written last. */
  get source(): string {
    return readFileSync(join(this.project.folder, 'src', 'server.ts'), 'utf8');
  }

  /** Removes the messages so far, as the page does it. */
  async clearTraffic(): Promise<void> {
    const { origin, hash } = new URL(await this.url());
    const headers = { 'x-sigil-key': hash.slice(1), 'content-type': 'application/json' };
    const { status } = await fetch(`${origin}/__sigil/api/clear`, { method: 'POST', headers, body: '{}' });
    if (status !== 200) throw new Error(`The traffic was not cleared: ${status}`);
  }

  async sees(pattern: RegExp): Promise<RegExpExecArray> {
    let found: RegExpExecArray | null = null;
    await until(() => (found = pattern.exec(this.stderr)) !== null, 60_000);
    return found as unknown as RegExpExecArray;
  }

  /** Makes a change, and waits until a new version is ready. */
  async nextVersion(change: () => void): Promise<void> {
    const versions = (): number => this.stderr.match(/version \d+ ready/g)?.length ?? 0;
    const before = versions();
    change();
    await until(() => versions() > before, 60_000);
  }

  async url(): Promise<string> {
    return (await this.sees(/page: (http\S+)/))[1] ?? '';
  }

  async client(name = 'ada-client'): Promise<Client> {
    const client = new Client(
      { name, version: '1' },
      { versionNegotiation: { mode: 'legacy' }, capabilities: { elicitation: { form: {} } } },
    );
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
    await client.connect(new StreamableHTTPClientTransport(new URL(this.address)));
    return client;
  }

  async end(): Promise<void> {
    this.process.kill();
    if (this.process.exitCode === null) await new Promise((resolve) => this.process.once('exit', resolve));
    this.project.remove();
  }
}

/** One program for each server: a later test finds it with its first sources, and without the traffic of the tests before. */
export class SharedDevs {
  readonly #devs = new Map<string, Dev>();

  async get(server: string): Promise<Dev> {
    const running = this.#devs.get(server);
    if (running === undefined) {
      const dev = await Dev.start(server);
      this.#devs.set(server, dev);
      await dev.sees(/version 1 ready/);
      return dev;
    }
    if (running.source !== server) await running.nextVersion(() => running.write(server));
    await running.clearTraffic();
    return running;
  }

  async end(): Promise<void> {
    for (const dev of this.#devs.values()) await dev.end();
  }
}
