/** Runs a program up to the point where its server would start, and reads what the server offers. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { DescribedServer } from '@sigil-mcp/core';
import { noServer, wrongUsage } from '../failure';
import { loadOnce } from '../project/load-once';
import type { ServerTarget } from '../targets/target';

/** The module that writes the description. */
const REPORT_DESCRIPTION = join(__dirname, 'report-description.js');

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
    const printed = await loadOnce(args, signal, { ...process.env, sigil_description_file: out });
    if (!existsSync(out)) {
      const reason = printed?.replace(/\.$/, '') ?? 'it exports none, and starts none';
      throw noServer('SIGIL_CONTRACT_PROGRAM', { file: target.label, reason });
    }
    // Written by report-description.ts, with the framework of the project.
    return JSON.parse(readFileSync(out, 'utf8')) as DescribedServer;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The folder of the file of a target, in which its project is looked for. */
export function folderOfTarget(target: ServerTarget): string {
  return target.kind === 'command' && target.file !== undefined ? dirname(target.file) : process.cwd();
}
