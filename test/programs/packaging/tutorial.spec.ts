/** The tutorial, done as it stands there: from nothing to a server over HTTP with tokens, every command and every file of it. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { freePort } from '../../support/free-port';
import { until } from '../../support/until';
import { plainEnvironment, run } from './run-command';
import { commandsOf, edited, expressionOf, stepsOf, type Command, type Step } from './tutorial-page';

const root = join(__dirname, '..', '..', '..');
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-tutorial-')));

/** A reader at work: where they are, what they have set, and what they have seen since they last typed something. */
class Reader {
  place = root;
  seen = '';
  readonly environment: NodeJS.ProcessEnv = { ...plainEnvironment(), npm_config_loglevel: 'error' };
  readonly #running: ChildProcess[] = [];

  constructor(private readonly port: string) {}

  async follow(step: Step): Promise<void> {
    if (step.kind === 'file') writeFileSync(join(this.place, step.path), step.text);
    else if (step.kind === 'edit') this.#edit(join(this.place, step.path), step.text);
    else if (step.kind === 'prints') await this.#find(step.text);
    else if (step.how !== 'by hand') await this.#type(commandsOf(step.text), step.how === 'stays');
  }

  /** Ends what was started to stay. */
  async leave(): Promise<void> {
    for (const child of this.#running.reverse().filter(({ exitCode }) => exitCode === null)) {
      const closed = once(child, 'close');
      // npm and what it runs are a group.
      process.kill(-child.pid!, 'SIGTERM');
      await closed;
    }
  }

  #edit(path: string, diff: string): void {
    writeFileSync(path, edited(readFileSync(path, 'utf8'), diff));
  }

  async #type(commands: readonly Command[], stays: boolean): Promise<void> {
    this.seen = '';
    for (const [index, command] of commands.entries()) {
      const [, target] = /^cd (.+)$/.exec(command.line) ?? [];
      // The page's folder stands beside the clone; a test must not write there.
      if (target !== undefined) this.place = join(folder, basename(resolve(this.place, target)));
      else if (stays && index === commands.length - 1) this.#start(command.line);
      else await this.#run(command);
    }
  }

  async #run({ line, fails }: Command): Promise<void> {
    const typed = this.#inPlace(line.replace('../shelf', join(folder, 'shelf')));
    const [, name, value] = /^export (\w+)=(.+)$/.exec(typed) ?? [];
    if (name !== undefined) {
      this.environment[name] = (await run('sh', ['-c', `printf %s ${value}`], this.place, this.environment)).stdout;
      return;
    }
    const { code, stdout } = await run('sh', ['-c', `exec 2>&1; ${typed}`], this.place, this.environment);
    this.seen += stdout.endsWith('\n') ? stdout : `${stdout}\n`;
    expect([line, code === 0 ? 'went well' : 'failed', this.seen]).toEqual([
      line,
      fails ? 'failed' : 'went well',
      this.seen,
    ]);
  }

  #start(line: string): void {
    const env = { ...this.environment, PORT: this.port };
    const child = spawn('sh', ['-c', `exec 2>&1; ${line}`], { cwd: this.place, env, detached: true });
    this.#running.push(child);
    child.stdout.on('data', (chunk: Buffer) => (this.seen += String(chunk)));
  }

  /** The page has the default port, and the one after it for the issuer. */
  #inPlace(text: string): string {
    return text.replaceAll(':3000/', `:${this.port}/`).replaceAll(':3001', `:${Number(this.port) + 1}`);
  }

  /** Looks for what the page says is printed, which may take a while. */
  async #find(text: string): Promise<void> {
    const expected = expressionOf(this.#inPlace(text));
    await until(() => expected.test(this.seen)).catch(() => expect(this.seen).toMatch(expected));
  }
}

let reader: Reader | undefined;
afterAll(async () => {
  await reader?.leave();
  rmSync(folder, { recursive: true, force: true });
});

const steps = stepsOf(readFileSync(join(root, 'docs', 'tutorial.md'), 'utf8'));

it('leaves nothing but what needs docker to be done by hand', () => {
  const byHand = steps.filter((step) => step.kind === 'commands' && step.how === 'by hand');
  expect(byHand.map(({ text }) => text)).toEqual([expect.stringMatching(/^docker build .*\ndocker run /)]);
});

it('leads from nothing to a server over HTTP with tokens, and everything is as it says', async () => {
  reader = new Reader(String(await freePort()));
  for (const step of steps) await reader.follow(step);
}, 480_000);
