/** The command line run within a test, with what it says. */
import { CapturedText } from './captured-text';
import { runCli, type CliOptions } from '@sigil-mcp/cli';

/** What came of a command. */
export interface Said {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command and keeps what it writes. */
export function runCaptured(...words: string[]): Promise<Said> {
  return runCapturedIn({}, ...words);
}

/** The same in other surroundings. */
export async function runCapturedIn(options: CliOptions, ...words: string[]): Promise<Said> {
  const [stdout, stderr] = [new CapturedText(), new CapturedText()];
  const status = await runCli(words, { stdout, stderr, ...options });
  // The address of the page of an error is the same line each time; docs.spec.ts looks at it.
  return { status, stdout: stdout.text, stderr: stderr.text.replace(/^https:\/\/\S+\/e\/SIGIL_\w+\n$/m, '') };
}
