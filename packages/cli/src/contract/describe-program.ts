/** Runs a program up to the point where its server would start, and reads what the server offers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DescribedServer } from '@sigil-mcp/core';
import { noServer, wrongUsage } from '../failure';
import type { ServerTarget } from '../targets/target';

/** The module that writes the description. */
const REPORT_DESCRIPTION = join(__dirname, 'report-description.js');
/** Milliseconds that a program may take to define its server. */
const LONGEST = 60_000;

/**
 * Describes the server of a file.
 * @throws CliFailure if the target is no file of Node, or its program defines no server
 */
export async function describeProgram(target: ServerTarget, signal: AbortSignal): Promise<DescribedServer> {
  const compiled = target.kind === 'command' ? target.args.at(-1) : undefined;
  if (target.kind === 'url' || target.file === undefined || compiled === undefined)
    throw wrongUsage('SIGIL_CONTRACT_TARGET');
  const folder = mkdtempSync(join(tmpdir(), 'sigil-description-'));
  try {
    const out = join(folder, 'description.json');
    const args = ['--enable-source-maps', '--require', REPORT_DESCRIPTION, compiled];
    const printed = await run(args, { out, cwd: target.cwd ?? process.cwd(), signal });
    if (!existsSync(out)) throw noServer('SIGIL_CONTRACT_PROGRAM', { file: target.label, reason: printed });
    // Written by report-description.ts, with the framework of the project.
    return JSON.parse(readFileSync(out, 'utf8')) as DescribedServer;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns what the program printed */
async function run(
  args: readonly string[],
  { out, cwd, signal }: { readonly out: string; readonly cwd: string; readonly signal: AbortSignal },
): Promise<string> {
  // Node 20 collects a timeout that only another signal refers to: `late` is needed below.
  const late = AbortSignal.timeout(LONGEST);
  const either = AbortSignal.any([signal, late]);
  const env = { ...process.env, sigil_description_file: out };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const end = (): void => void child.kill('SIGKILL');
  either.addEventListener('abort', end, { once: true });
  let printed = '';
  child.stderr.on('data', (text) => (printed += String(text)));
  await once(child, 'close');
  either.removeEventListener('abort', end);
  signal.throwIfAborted();
  if (late.aborted) return `it defined none in ${LONGEST / 1000} seconds`;
  return printed.trim() || 'it ended without a message';
}

/** The folder of the file of a target, in which its project is looked for. */
export function folderOfTarget(target: ServerTarget): string {
  return target.kind === 'command' && target.file !== undefined ? dirname(target.file) : process.cwd();
}
