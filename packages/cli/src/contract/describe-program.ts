/** Runs a program up to the point where its server would start, and reads what the server offers. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DescribedServer } from '@sigil-mcp/core';
import { noServer, wrongUsage } from '../failure';
import { loadOnce } from '../project/load-once';
import type { ProgramTarget, ServerTarget } from '../targets/target';

/** A program of Node. */
interface FileTarget extends ProgramTarget {
  readonly file: string;
}

/** The module that writes the description. */
const REPORT_DESCRIPTION = join(__dirname, 'report-description.js');

/** The program of a file. @throws CliFailure if the target is no file of Node */
export function programOf(target: ServerTarget): FileTarget {
  if (target.kind === 'url' || target.file === undefined) throw wrongUsage('SIGIL_CONTRACT_TARGET');
  return { ...target, file: target.file };
}

/**
 * Describes the server of a file.
 * @throws CliFailure if its program defines no server
 */
export async function describeProgram(target: FileTarget, signal: AbortSignal): Promise<DescribedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-description-'));
  try {
    const out = join(folder, 'description.json');
    const args = ['--enable-source-maps', '--require', REPORT_DESCRIPTION, ...target.args.slice(-1)];
    const printed = await loadOnce(args, signal, { ...target, env: { ...target.env, sigil_description_file: out } });
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
