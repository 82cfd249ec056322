/** The thread that `compileApart` starts. */
import { parentPort, workerData } from 'node:worker_threads';
import { CliFailure } from '../failure';
import type { Compiled, CompileOrder } from './compile-apart';
import { compileProject } from './compile-project';

const { entry, output } = workerData as CompileOrder; // sent by compileApart
parentPort?.postMessage(compile());

function compile(): Compiled {
  try {
    return { path: compileProject(entry, output) };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    const { code, message, fix, exitCode } = error;
    return { failure: { words: { code, problem: message, fix }, exitCode } };
  }
}
