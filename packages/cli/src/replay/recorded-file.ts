/** The file of recorded calls. */
import { readFileSync } from 'node:fs';
import type { RecordedCall } from '@sigil-mcp/contract/recording';
import { failure, reasonOf } from '../failure';
import type { Shell } from '../terminal/shell';

/** A recorded call, and the line of the file that has it. */
export interface RecordedLine {
  readonly line: number;
  readonly call: RecordedCall;
}

/** Only the first of several calls with the same arguments and outcome counts, because all of them would be answered alike. */
export interface RecordedFile {
  readonly calls: readonly RecordedLine[];
  /** How many calls were the same as another. */
  readonly repeated: number;
}

/**
 * Reads recorded calls from a file, by its path as the user typed it. A last line that was cut off is ignored, because its server may still write.
 * @throws CliFailure for a file that cannot be read, and for a line that is no recorded call
 */
export async function readRecordedFile(shell: Shell, path: string): Promise<RecordedFile> {
  const { readRecordedCall } = await import('@sigil-mcp/contract/recording');
  const lines = textOf(shell, path).split('\n');
  const seen = new Set<string>();
  const calls: RecordedLine[] = [];
  let repeated = 0;
  for (const [index, text] of lines.entries()) {
    if (text.trim() === '') continue;
    const call = readRecordedCall(text);
    if (!call && index === lines.length - 1) continue;
    if (!call) throw failure('SIGIL_REPLAY_LINE', { file: path, line: index + 1 });
    const key = JSON.stringify([call.method, call.params, call.outcome, call.revision]);
    if (seen.has(key)) repeated += 1;
    else calls.push({ line: index + 1, call });
    seen.add(key);
  }
  return { calls, repeated };
}

function textOf(shell: Shell, path: string): string {
  try {
    return readFileSync(shell.path(path), 'utf8');
  } catch (error) {
    throw failure('SIGIL_REPLAY_FILE', { file: path, reason: reasonOf(error) });
  }
}
