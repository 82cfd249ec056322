/** The end of a reading: late questions, asynchronous answers, and the one place where nesting beyond the stack is caught. */
import type { ReadValue } from './compile-value';
import type { Reading } from '../compiled-shape';
import { openRun, type Run } from './run';

/** Reads one whole value; a promise only where a validator answered with one. */
export function readWhole(read: ReadValue, value: unknown): Reading<unknown> | Promise<Reading<unknown>> {
  const run = openRun();
  try {
    const made = read(value, undefined, '', run);
    if (run.later.length > 0 && run.failures.length === 0) for (const ask of run.later) ask();
    return run.pending.length > 0 ? Promise.all(run.pending).then(() => toReading(run, made)) : toReading(run, made);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, failures: [{ path: '', message: 'is nested too deeply' }] };
  }
}

function toReading(run: Run, value: unknown): Reading<unknown> {
  return run.failures.length === 0 ? { ok: true, value } : { ok: false, failures: run.failures };
}
