/** The defaults of a raw JSON Schema: each is accepted by its own schema, and replaces a member that a client left out. */
import { describeFailures, type ErrorWords } from '@sigil-mcp/base';
import type { Reading } from '../compiled-shape';
import type { JsonSchema } from '../json-schema';
import { compileDefaults, type FoundDefault } from './compile-defaults';
import { rawProblems } from './raw-problems';
import type { Validation } from './validation';

/**
 * Compiles what fills in the defaults of a value that the schema accepted.
 * @returns undefined where the schema has no defaults; what is wrong with one that its own schema refuses
 */
export function compileFiller(
  schema: JsonSchema,
  validation: Validation,
): ((reading: Reading<unknown>) => Reading<unknown>) | ErrorWords | undefined {
  try {
    const defaults = compileDefaults(schema, (pointer) => validation.part(pointer));
    const [refused] = (defaults?.found ?? []).flatMap((found) => refusalOf(found, validation));
    if (refused) return refused;
    const fill = defaults?.fill;
    return fill && ((reading) => (reading.ok ? filled(fill, reading.value) : reading));
  } catch (error) {
    return rawProblems.invalid(error instanceof Error ? error.message : String(error));
  }
}

function filled(fill: (value: unknown) => unknown, value: unknown): Reading<unknown> {
  try {
    return { ok: true, value: fill(value) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, failures: [{ path: '', message: 'is nested too deeply' }] };
  }
}

function refusalOf({ path, value, pointer }: FoundDefault, validation: Validation): readonly ErrorWords[] {
  const reading = validation.part(pointer)(value);
  return reading.ok ? [] : [rawProblems.defaultRefused(path.join('.'), describeFailures(reading.failures))];
}
