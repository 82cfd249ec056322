/** DTO class -> the shape that writes return values of handlers. */
import type { Class, DefinitionProblem, ReportProblem } from '@sigil-mcp/base';
import type { OutputShape, Reading } from './compiled-shape';
import type { ReadValue } from './read/compile-value';
import { readWhole } from './read/read-whole';
import { reportDtoTo } from './plan/dto-problems';
import { listStricter } from './write/list-stricter';
import { compileWhole } from './read/tagged';
import { planClass, type PlannedBefore } from './plan/plan-class';
import { compileObjectWriter, toJson } from './write/write-object';
import type { JsonSchema } from './json-schema';
import type { ClassPlan } from './value-plan';
import { partsOfClass, type SensitivePart } from './sensitive/sensitive-parts';
import { writeSchema } from './write/write-schema';

/**
 * Compiles a DTO for writing: undeclared fields are stripped, declared ones validated, the result is plain JSON data.
 *
 * @param report gets every problem of the class and of the classes in it
 * @param where the member that uses it, for the report
 * @returns undefined if a problem was reported
 */
export function compileOutput(
  dto: Class,
  report: ReportProblem,
  where: string,
  { known, lenient }: PlannedBefore = {},
): OutputShape | undefined {
  const problems: DefinitionProblem[] = [];
  const vague: DefinitionProblem[] = [];
  const plan = planClass(dto, {
    direction: 'output',
    report: reportDtoTo((problem) => problems.push(problem), where),
    tell: reportDtoTo((problem) => vague.push(problem), where),
    known,
    lenient,
  });
  problems.forEach(report);
  if (problems.length > 0) return undefined;
  return new ClassOutput(plan, vague);
}

/** Its writer is compiled by the first call and kept. */
class ClassOutput implements OutputShape {
  readonly schema: JsonSchema;
  #write: ReadValue | undefined;
  #sensitive: readonly SensitivePart[] | undefined;

  constructor(
    private readonly plan: ClassPlan,
    readonly vague: readonly DefinitionProblem[],
  ) {
    this.schema = writeSchema(plan);
  }

  get stricter(): readonly string[] {
    return listStricter(this.plan);
  }

  get sensitive(): readonly SensitivePart[] {
    return (this.#sensitive ??= partsOfClass(this.plan));
  }

  write(value: unknown): Reading<unknown> | Promise<Reading<unknown>> {
    return writeSafely((this.#write ??= this.#compile()), value);
  }

  #compile(): ReadValue {
    const write = compileWhole(this.plan, compileObjectWriter());
    return (value, parent, key, traversal) => write(toJson(value), parent, key, traversal);
  }
}

/** A getter, a `toJSON` or a transformation that throws is a value that cannot be written, not a crash. */
function writeSafely(write: ReadValue, value: unknown): Reading<unknown> | Promise<Reading<unknown>> {
  try {
    return readWhole(write, value);
  } catch {
    return {
      ok: false,
      failures: [{ path: '', message: 'cannot be read: one of its getters, its toJSON or a @Transform threw' }],
    };
  }
}
