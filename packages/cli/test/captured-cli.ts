/** The command line run within a test, with what it says. */
import { runCli } from '../src/run-cli';

/** What came of a command. */
export interface Said {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command and keeps what it writes. */
export function runCaptured(...words: string[]): Promise<Said> {
  return runCapturedAs(undefined, ...words);
}

/** The same for a program that stands for `sigil new`. @param typed the words that the user typed instead */
export async function runCapturedAs(typed: string | undefined, ...words: string[]): Promise<Said> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      said[stream] += String(text);
      return true;
    }),
  );
  const before = process.exitCode;
  try {
    const status = await runCli(words, typed);
    // The address of the page of an error is the same line each time; docs.spec.ts looks at it.
    return { status, stdout: said.stdout, stderr: said.stderr.replace(/^https:\/\/\S+\/e\/SIGIL_\w+\n$/m, '') };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}
