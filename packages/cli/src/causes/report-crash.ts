/** Loaded before a program that sigil runs: reports the error that ends the program to sigil, which explains it. */
import { writeSync } from 'node:fs';
import { isObject } from '@sigil-mcp/base';
import { CRASH_MARK, type Crash, type CrashProblem } from './crash-report';

/** The number of causes that are followed. */
const DEEPEST = 3;

process.on('uncaughtExceptionMonitor', (error: unknown) => {
  const crash = crashOf(error);
  if (crash === undefined) return;
  try {
    writeSync(process.stderr.fd, `\n${CRASH_MARK}${JSON.stringify(crash)}\n`);
  } catch {
    return; // Node reports the error itself
  }
  // A program with a handler of its own decides itself. Otherwise Node would print the error, and end with the same status.
  if (process.listenerCount('uncaughtException') === 0) process.exit(1);
});

/** @returns undefined for errors that only Node can explain: a file that cannot be parsed, and values that are not errors */
function crashOf(error: unknown): Crash | undefined {
  if (!(error instanceof Error) || error instanceof SyntaxError) return undefined;
  const { name, message, stack } = error;
  if (typeof stack !== 'string') return undefined;
  const problems = 'problems' in error && Array.isArray(error.problems) ? error.problems.filter(isProblem) : [];
  const causes = causesOf(error);
  return {
    name,
    message: wordsOf(error, message),
    stack,
    problems: problems.map(copied),
    causes: causes.map((cause) => `${cause.name}: ${wordsOf(cause, cause.message)}`),
    causeStacks: causes.map((cause) => cause.stack ?? ''),
  };
}

function wordsOf(error: Error, message: string): string {
  // An error of several attempts to connect has a code and no message.
  return message === '' && 'code' in error ? String(error.code) : message;
}

function isProblem(value: unknown): value is CrashProblem {
  return isObject(value) && ['where', 'problem', 'fix', 'code'].every((name) => typeof value[name] === 'string');
}

function copied({ where, problem, fix, code }: CrashProblem): CrashProblem {
  return { where, problem, fix, code };
}

function causesOf(error: Error): Error[] {
  const causes: Error[] = [];
  let { cause } = error;
  while (cause instanceof Error && causes.length < DEEPEST) {
    causes.push(cause);
    ({ cause } = cause);
  }
  return causes;
}
