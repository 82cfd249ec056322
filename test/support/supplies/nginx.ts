/** A real nginx for tests: a process with a configuration of the repository, on ports of the test. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where it is; people other than root do not have the second on their path. */
const PROGRAMS = ['nginx', '/usr/sbin/nginx'];

function findNginx(): string | undefined {
  return PROGRAMS.find((program) => spawnSync(program, ['-v']).status === 0);
}

/** Whether the program is there. */
export function hasNginx(): boolean {
  return findNginx() !== undefined;
}

/** The documented configuration, with a port of its own and those of three instances. */
export function documentedConfiguration(ports: readonly number[]): string {
  const file = join(__dirname, '..', '..', '..', 'apps', 'secured', 'nginx', 'nginx.conf');
  return readFileSync(file, 'utf8').replace(/\b300([0-3])\b/g, (_, index: string) => `${ports[Number(index)]}`);
}

/** Runs until it is stopped. */
export class Nginx {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
  ) {}

  /**
   * Starts it; what it warns of is an error.
   * @param configuration its text, with ports that are free
   * @param port one that it listens on
   */
  static async start(configuration: string, port: number): Promise<Nginx> {
    const folder = mkdtempSync(join(tmpdir(), 'sigil-nginx-'));
    const file = join(folder, 'nginx.conf');
    // Where nobody has installed it, it has no folders of its own.
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder};`);
    writeFileSync(
      file,
      configuration.replace(
        'http {',
        `http {\n${paths.join('\n')}\nlog_format upstream '$upstream_addr';\naccess_log ${folder}/served upstream;`,
      ),
    );
    // One process, so that its workers are nobody else.
    const directives = `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;`;
    const words = ['-e', 'stderr', '-p', folder, '-c', file, '-g', directives];
    const tested = spawnSync(findNginx() ?? '', ['-t', ...words], { encoding: 'utf8' });
    if (tested.status !== 0 || tested.stderr.includes('[warn]')) throw new Error(tested.stderr);
    const nginx = new Nginx(spawn(findNginx() ?? '', words, { stdio: ['ignore', 'ignore', 'pipe'] }), folder);
    await nginx.#listens(port);
    return nginx;
  }

  /** Of each request that is over, who has answered it: `127.0.0.1:3001`, or several where it was handed on. */
  served(): string[] {
    return readFileSync(join(this.folder, 'served'), 'utf8').trim().split('\n');
  }

  async stop(): Promise<void> {
    const exit = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exit;
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #listens(port: number): Promise<void> {
    let said = '';
    this.process.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    for (let tries = 0; tries < 250; tries++) {
      if (this.process.exitCode !== null) throw new Error(`nginx has ended: ${said}`);
      const socket = connect(port, '127.0.0.1');
      const isThere = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isThere) return;
      await sleep(20);
    }
    throw new Error(`nginx does not listen: ${said}`);
  }
}
