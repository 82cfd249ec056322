/** Repeats the work of a command after each change of a project, until Ctrl-C. */
import { once } from 'node:events';
import { CompileThreads } from '../compile-threads';
import { SourceChanges } from '../project/watch-sources';
import { reportFailure } from '../report-failure';
import { interruptible } from '../terminal/interruption';
import { mention } from '../terminal/mention';
import type { Shell } from '../terminal/shell';

/**
 * Does the work now, and after each change. A failure is reported, and the next change may fix it.
 * @param folder of the project
 * @param work is cancelled by a change, because its result would be outdated
 * @throws CliFailure after Ctrl-C
 */
export async function repeatAfterChanges(
  shell: Shell,
  folder: string,
  work: (cancel: AbortSignal) => Promise<void>,
  asJson: boolean,
): Promise<never> {
  return interruptible(shell, async ({ signal }) => {
    const own = shell.compileThreads ? undefined : (shell.compileThreads = new CompileThreads());
    const changes = new SourceChanges(folder, (problem) => mention(problem, shell));
    try {
      await changes.ready;
      for (;;) {
        const changed = changes.next();
        await work(changed).catch((error: unknown) => {
          if (!changed.aborted && !signal.aborted) reportFailure(shell, error, asJson);
        });
        signal.throwIfAborted();
        if (changed.aborted) continue;
        shell.report(shell.errorStyles.dim(`Waiting for changes in ${folder}. Ctrl-C ends.`));
        await once(changed, 'abort', { signal }).catch(() => undefined);
        signal.throwIfAborted();
      }
    } finally {
      await Promise.all([changes.close(), own?.close()]);
    }
  });
}
