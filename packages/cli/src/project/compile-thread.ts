/** The thread that `compileApart` starts. */
import { parentPort, workerData } from 'node:worker_threads';
import { CliFailure } from '../failure';
import type { Compiled, CompileOrder } from './compile-apart';
import { stylesFor } from '../terminal/styles';
import { compileProject } from './compile-project';

const { entry, hasColors } = workerData as CompileOrder; // sent by compileApart
parentPort?.postMessage(compile());

function compile(): Compiled {
  try {
    return { path: compileProject(entry, stylesFor({ isTTY: hasColors }, {})) };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    const { code, message, fix, exitCode } = error;
    return { failure: { words: { code, problem: message, fix }, exitCode } };
  }
}
