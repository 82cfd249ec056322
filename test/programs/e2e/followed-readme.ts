/** A README that is followed: its commands are typed, and what they print is compared with what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import type * as Cli from '@sigil-mcp/cli';
import { CapturedText } from '../../support/captured-text';
import { loadBuilt, ownEnvironment } from '../../support/command-line';

const root = join(__dirname, '..', '..', '..');

/** Commands of a README, with what they print. */
export interface Step {
  /** Lines for a shell. */
  readonly commands: string;
  /** The text below; `…` stands for any text, and a line of it for any lines. */
  readonly printed: string;
}

/** What an example's README says. */
export interface Readme {
  /** The command that starts the server. */
  readonly start: string;
  readonly steps: readonly Step[];
  /** Texts that the server itself prints. */
  readonly logged: readonly string[];
}

/** Reads the README of an example, as it would be followed with a server on another port. */
export function readReadme(app: string, port: number): Readme {
  const text = readFileSync(join(root, 'apps', app, 'README.md'), 'utf8')
    .replaceAll(':3000/', `:${port}/`)
    .replaceAll(':3001/', `:${port + 1}/`);
  const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, language = '', code = ''], index, all) => ({
    language,
    code,
    next: all[index + 1],
  }));
  const steps = blocks.flatMap(({ language, code, next }) => {
    const [block = '', nextLanguage = '', printed = ''] = next ?? [];
    // Directly below the commands.
    const follows = nextLanguage === 'text' && text.includes(`${code}\`\`\`\n\n${block}`);
    return language === 'sh' && follows ? [{ commands: code, printed }] : [];
  });
  const shown = new Set(steps.map(({ printed }) => printed));
  return {
    start: blocks.find(({ code }) => code.includes('npm start'))?.code ?? '',
    steps,
    logged: blocks.filter(({ language, code }) => language === 'text' && !shown.has(code)).map(({ code }) => code),
  };
}

/** A shell that is typed into. Its `npx sigil` runs in the process of the test, which is spared the start of three programs each time. */
export class Shell {
  private constructor(private readonly commands: Server) {}

  static async open(): Promise<Shell> {
    const commands = createServer((request, response) => {
      textOf(request)
        .then(async (sent) => response.end(await runSigil(sent.split('\0').slice(0, -1))))
        .catch((error: unknown) => response.end(String(error)));
    }).listen(0, '127.0.0.1');
    await once(commands, 'listening');
    return new Shell(commands);
  }

  /** Everything that lines print, in the folder of the repository. */
  async type(lines: string): Promise<string> {
    const { port } = this.commands.address() as AddressInfo;
    const npx = `npx() { printf '%s\\0' "$SIGIL_TOKEN" "$@" | curl -s --data-binary @- http://127.0.0.1:${port}; }`;
    // One pipe for both, as at a terminal, so that the lines keep their order.
    const child = spawn('bash', ['-c', `exec 2>&1\n${npx}\n${lines}`], { cwd: root });
    child.stdin.end();
    const [printed] = await Promise.all([textOf(child.stdout), once(child, 'close')]);
    return printed;
  }

  close(): void {
    this.commands.close();
  }
}

/** @param words what follows `npx`, after the token of the shell @returns everything that it prints */
async function runSigil([token = '', program, ...words]: readonly string[]): Promise<string> {
  expect(program).toBe('sigil');
  const both = new CapturedText();
  const env = { ...ownEnvironment(), NO_COLOR: '1', ...(token !== '' && { SIGIL_TOKEN: token }) };
  const { runCli } = loadBuilt<typeof Cli>('packages/cli/dist/index.js');
  const { signal } = new AbortController();
  await runCli(words, { stdin: Readable.from([]), stdout: both, stderr: both, cwd: root, env, signal });
  return both.text;
}

/** What a README says is printed, as the source of a pattern. */
export function patternOf(printed: string): string {
  const lines = printed
    .trimEnd()
    .split('\n')
    .map((line) => (line === '…' ? '[^]*?' : line.split('…').map(escaped).join('.*')));
  return lines.join('\n');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
