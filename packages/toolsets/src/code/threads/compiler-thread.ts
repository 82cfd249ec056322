/** A thread that checks scripts with TypeScript. It is terminated when a script takes too long, and started again for the next. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type * as typescript from 'typescript';
import { CodeChecker } from './check-code';
import { READY, type CheckRequest, type CodeProblem } from './messages';

const TOO_DEEP: CodeProblem = { line: 1, column: 1, message: 'The script, or a type in it, is nested too deeply.' };

/** Starts the thread: its data is the path of TypeScript. */
export function start(): void {
  const port = parentPort;
  if (!port) return;
  const path = String(workerData);
  const compiler = createRequire(path)(path) as typeof typescript;
  let checker = new CodeChecker(compiler);
  port.on('message', (request: CheckRequest) => {
    try {
      port.postMessage(checker.check(request));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // The compiler is recursive. What it has half done is not used again.
      checker = new CodeChecker(compiler);
      port.postMessage({ id: request.id, problems: [TOO_DEEP] });
    }
  });
  port.postMessage(READY);
}
