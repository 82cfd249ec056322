/** A thread of `CompileThreads`. */
import { parentPort } from 'node:worker_threads';
import { CliFailure } from '../failure';
import type { Compiled, CompileOrder } from '../compile-threads';
import { stylesFor } from '../terminal/styles';
import { compileProject, PackageFiles } from './compile-project';

const files = new PackageFiles();
parentPort?.on('message', (order: CompileOrder) => parentPort?.postMessage(compile(order)));

function compile({ entry, hasColors }: CompileOrder): Compiled {
  try {
    return { path: compileProject(entry, stylesFor({ isTTY: hasColors }, {}), files) };
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error;
    const { code, message, fix, exitCode } = error;
    return { failure: { words: { code, problem: message, fix }, exitCode } };
  }
}
