/** `npm start` in a fresh clone, where nothing is installed and nothing is built. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { plainEnvironment } from './run-command';

const LONG = 300_000;
const root = join(__dirname, '..', '..', '..');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-first-start-')));

beforeAll(() => {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
  const names = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], options);
  for (const name of names.split('\0').filter((each) => each !== '' && existsSync(join(root, each))))
    cpSync(join(root, name), join(folder, name));
});
const typed: Typed[] = [];
afterAll(async () => {
  await Promise.all(typed.map((each) => each.kill('SIGKILL')));
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

/** A command of a user who has just cloned the repository, until it says what is waited for, or ends. */
class Typed {
  readonly #child: ChildProcess;
  readonly ended: Promise<number | null>;
  said = '';
  #hear = (): void => undefined;

  constructor(app: string, env: Readonly<Record<string, string>> = {}) {
    const cwd = join(folder, 'apps', app);
    const whole = { ...plainEnvironment(), PORT: '0', ...env };
    this.#child = spawn('npm', ['start'], { cwd, env: whole, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (text) => {
        this.said += String(text);
        this.#hear();
      });
    typed.push(this);
    this.ended = once(this.#child, 'close').then(([code]) => code as number | null);
  }

  /** @throws if the command ends before it says so */
  async says(text: string | RegExp): Promise<void> {
    const said = new Promise<void>((resolve) => {
      this.#hear = () => this.said.search(text) !== -1 && resolve();
      this.#hear();
    });
    const end = this.ended.then((code) => {
      throw new Error(`${String(text)} was not said before the end (${code}): ${this.said}`);
    });
    await Promise.race([said, end]);
  }

  /** npm and what it runs are a group. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) process.kill(-(this.#child.pid ?? 0), signal);
    await this.ended;
  }
}

const installed = (name: string): boolean => existsSync(join(folder, 'node_modules', name));
const SERVES = /http:\/\/127\.0\.0\.1:\d+\/mcp/;

it(
  'says in one sentence that there is no network, and leaves nothing that a later start takes for whole',
  async () => {
    const unreachable = {
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: join(folder, '.sigil', 'empty'),
    };
    const start = new Typed('weather', unreachable);
    expect(await start.ended).toBe(1);
    expect(start.said).toContain(
      'npm could not reach the package registry (ECONNREFUSED): check the network, then run the command again.',
    );
  },
  LONG,
);

it(
  'goes on after it was killed, installs and builds what the weather needs alone, and two at once serve',
  async () => {
    const killed = new Typed('weather');
    await killed.says('packages read');
    await killed.kill('SIGKILL');
    const [one, other] = [new Typed('weather'), new Typed('weather')];
    await Promise.all([one.says(SERVES), other.says(SERVES)]);
    expect([one, other].filter(({ said }) => said.includes('waiting for another set-up')).length).toBe(1);
    expect([one, other].filter(({ said }) => said.includes('set-up: installing')).length).toBe(1);
    await Promise.all([one.kill('SIGINT'), other.kill('SIGINT')]);
    expect(['fastify', 'eslint', '@nestjs/core', 'jest'].filter(installed)).toEqual(['fastify']);
    expect(existsSync(join(folder, 'packages', 'toolsets', 'dist'))).toBe(false);
  },
  LONG,
);

it(
  'installs what another example needs when that is started, and nothing a second time',
  async () => {
    const library = new Typed('library');
    await library.says(/listening|http:\/\/|Library/);
    await library.kill('SIGINT');
    expect(library.said).toContain('set-up: installing');
    const again = new Typed('weather');
    await again.says(SERVES);
    await again.kill('SIGINT');
    expect(again.said).not.toContain('set-up:');
    expect(readFileSync(join(folder, 'package-lock.json'), 'utf8')).toBe(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
    );
  },
  LONG,
);
