/** A return value that a foreign schema accepted -> plain JSON data, or the place of a value that JSON cannot represent. */
import { writeData } from '../plain/json-data';
import type { Reading } from '../value-plan';
import { pathOf, type Location } from '../read/compile-value';

/** A copy of a value that holds nothing but what JSON can say. */
export function readData(value: unknown): Reading<unknown> {
  const written = writeData(value);
  if (written.ok) return { ok: true, value: written.data };
  const { path, what } = written.unwritable;
  return { ok: false, failures: [{ path: pathOfKeys(path), message: `is ${what}, which JSON cannot say` }] };
}

/** The path of a part, from the names and positions that lead to it: `stops[2].city`. */
export function pathOfKeys(keys: readonly (string | number)[]): string {
  return pathOf(keys.reduce<Location>((parent, key) => ({ parent, key }), { parent: undefined, key: '' }));
}
