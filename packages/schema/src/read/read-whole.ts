/** The end of a reading: late checks, asynchronous results, and the one place that catches nesting beyond the stack. */
import { openTraversal, type ReadValue, type Traversal } from './compile-value';
import type { Reading } from '../value-plan';

/** Reads one whole value; a promise only where a validator answered with one. */
export function readWhole(read: ReadValue, value: unknown): Reading<unknown> | Promise<Reading<unknown>> {
  const traversal = openTraversal();
  try {
    const made = read(value, undefined, '', traversal);
    if (traversal.later.length > 0 && traversal.failures.length === 0) for (const ask of traversal.later) ask();
    return traversal.pending.length > 0
      ? Promise.all(traversal.pending).then(() => toReading(traversal, made))
      : toReading(traversal, made);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, failures: [{ path: '', message: 'is nested too deeply' }] };
  }
}

function toReading(traversal: Traversal, value: unknown): Reading<unknown> {
  if (traversal.failures.length > 0) return { ok: false, failures: traversal.failures };
  if (traversal.last) for (const end of traversal.last) end();
  return { ok: true, value };
}
