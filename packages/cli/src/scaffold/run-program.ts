/** Another program, run to its end: a package manager, git. */
import { spawn } from 'node:child_process';

/** How it ended. */
export interface Ended {
  /** 0 if all went well; undefined if it could not be started or a signal ended it. */
  readonly code: number | undefined;
  /** It is not on this machine. */
  readonly missing: boolean;
  /** What it wrote, to stdout and stderr. */
  readonly said: string;
}

/** Runs a program in a folder; it is asked nothing, and what it says is kept. */
export function runProgram(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    // On Windows package managers are scripts, which only a shell can start.
    const shell = process.platform === 'win32';
    const child = spawn(program, [...args], { cwd, env: process.env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.on('error', (error) => {
      resolve({ code: undefined, missing: 'code' in error && error.code === 'ENOENT', said: error.message });
    });
    child.on('close', (code) => resolve({ code: code ?? undefined, missing: false, said }));
  });
}
