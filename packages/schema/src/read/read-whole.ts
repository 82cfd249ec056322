/** The end of a reading: late checks, asynchronous results, and the one place that catches nesting beyond the stack. */
import { isObject } from '@sigil-mcp/base';
import type { Reading } from '../value-plan';
import { openTraversal, pathOf, type ReadValue, type Traversal } from './compile-value';

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

// Empty texts of forms and prompts: a host sends one for a field that its user left empty. For an optional argument it counts as left out,
// if its rules refuse it.

type MaybeReading = Reading<unknown> | Promise<Reading<unknown>>;

/**
 * Reads a value; and again without the empty texts that were refused, until none is.
 * @param optional the names of what may be left out
 */
export function readWithoutBlanks(
  read: (value: unknown) => MaybeReading,
  optional: ReadonlySet<string>,
  value: unknown,
): MaybeReading {
  const again = (reading: Reading<unknown>): MaybeReading => {
    if (reading.ok || !isObject(value)) return reading;
    const paths = reading.failures.map(({ path }) => path);
    const isRefused = ([name, given]: [string, unknown]): boolean =>
      given === '' && optional.has(name) && paths.some((path) => isWithin(path, name));
    const members = Object.entries(value);
    const others = members.filter((member) => !isRefused(member));
    return others.length < members.length ? readWithoutBlanks(read, optional, Object.fromEntries(others)) : reading;
  };
  const reading = read(value);
  return 'then' in reading ? reading.then(again) : again(reading);
}

function isWithin(path: string, name: string): boolean {
  const own = pathOf({ parent: { parent: undefined, key: '' }, key: name });
  return path === own || path.startsWith(`${own}[`);
}
