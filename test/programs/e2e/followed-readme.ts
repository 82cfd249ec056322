/** A README that is followed: its commands are typed, and what they print is compared with what it says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

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

/** Everything that commands print at a shell, in the folder of the repository. */
export async function typed(commands: string): Promise<string> {
  // One pipe for both, as at a terminal, so that the lines keep their order.
  const child = spawn('bash', ['-c', `exec 2>&1\n${commands}`], { cwd: root, env: { ...process.env, NO_COLOR: '1' } });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stdin.end();
  await once(child, 'close');
  return printed.replace(/^npm warn .*\n/gm, '');
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
