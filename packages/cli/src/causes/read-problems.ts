/** The mistakes of a definition in the output of a program that printed the error itself. */
import type { Crash, CrashProblem } from './crash-report';

const HEAD = /^\s*(?:Uncaught |Error: )?DefinitionError: (The server has .* definition errors?:)$/;
const PROBLEM = /^ {2}\d+\. ([^:]+): (.+)$/;
const FIX = /^ {5}(.+) \[(SIGIL_\w+)\]$/;

/** The error with its mistakes; undefined if the lines contain no such error. */
export function readProblems(lines: readonly string[]): Crash | undefined {
  const head = lines.findLastIndex((line) => HEAD.test(line));
  if (head === -1) return undefined;
  const problems: CrashProblem[] = [];
  const listed = lines.slice(head + 1);
  for (let at = 0; at + 1 < listed.length; at += 2) {
    const [, where, problem] = PROBLEM.exec(listed[at] ?? '') ?? [];
    const [, fix, code] = FIX.exec(listed[at + 1] ?? '') ?? [];
    if (where === undefined || problem === undefined || fix === undefined || code === undefined) break;
    problems.push({ where, problem, fix, code });
  }
  if (problems.length === 0) return undefined;
  const message = HEAD.exec(lines[head] ?? '')?.[1] ?? '';
  return { name: 'DefinitionError', message, stack: listed.join('\n'), problems, causes: [] };
}
