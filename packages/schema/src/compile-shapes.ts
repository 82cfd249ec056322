/** DTO class -> the shape that reads it, and the shape that writes it. */
import type { Class, DefinitionProblem, ReportProblem } from '@sigil-mcp/base';
import { dtoProblem, reportDtoTo, type ReportDto } from './plan/dto-problems';
import { planClass, type PlannedBefore } from './plan/plan-class';
import { isAnything } from './read/accept-kinds';
import type { ReadValue } from './read/compile-value';
import { compileInputReader, readBlanks, type InputOptions } from './read/read-object';
import { readWhole } from './read/read-whole';
import { compileWhole } from './read/any-of';
import { partsOfClass, type SensitivePart } from './sensitive/redact';
import type { ClassPlan, InputShape, JsonSchema, OutputShape, Reading } from './value-plan';
import { listStricter, writeSchema } from './write/write-schema';
import { compileObjectWriter, toJson } from './write/write-object';

/**
 * Compiles a DTO for reading.
 *
 * @param report gets every problem of the class and of the classes in it
 * @param where the member that uses it, for the report
 * @returns undefined if a problem was reported
 */
export function compileInput(
  dto: Class,
  options: InputOptions & PlannedBefore,
  report: ReportProblem,
  where: string,
): InputShape | undefined {
  const problems: DefinitionProblem[] = [];
  const vague: DefinitionProblem[] = [];
  const reportDto = reportDtoTo((problem) => problems.push(problem), where);
  const tell = collectVague(vague, where, options);
  const plan = planClass(dto, {
    direction: 'input',
    report: reportDto,
    tell,
    known: options.known,
    lenient: options.lenient,
  });
  if (options.strings) reportNested(plan, reportDto);
  problems.forEach(report);
  if (problems.length > 0) return undefined;
  return new ClassShape(plan, vague, options);
}

/**
 * The shape of a class for one direction. Its reader or its writer is compiled by the first call and kept: everything that can be wrong with the
 * class was found when it was planned, and of a thousand tools most are never called.
 */
class ClassShape implements InputShape, OutputShape {
  readonly schema: JsonSchema;
  #run: ReadValue | undefined;
  #sensitive: readonly SensitivePart[] | undefined;

  constructor(
    private readonly plan: ClassPlan,
    readonly vague: readonly DefinitionProblem[],
    private readonly options: InputOptions = {},
  ) {
    this.schema = writeSchema(plan);
  }

  get stricter(): readonly string[] {
    return listStricter(this.plan);
  }

  get sensitive(): readonly SensitivePart[] {
    return (this.#sensitive ??= partsOfClass(this.plan));
  }

  read(value: unknown): Reading<unknown> | Promise<Reading<unknown>> {
    const read = (this.#run ??= compileInputReader(this.plan, this.options));
    return this.options.strings ? readBlanks(read, this.plan, value) : readWhole(read, value);
  }

  write(value: unknown): Reading<unknown> | Promise<Reading<unknown>> {
    return writeSafely((this.#run ??= compileWriter(this.plan)), value);
  }
}

function compileWriter(plan: ClassPlan): ReadValue {
  const write = compileWhole(plan, compileObjectWriter());
  return (value, parent, key, traversal) => write(toJson(value), parent, key, traversal);
}

/** Of texts nothing is listed, so that their types need not be known. */
function collectVague(
  vague: DefinitionProblem[],
  where: string,
  { strings, lenient }: InputOptions & PlannedBefore,
): ReportDto | undefined {
  return strings && lenient !== true ? undefined : reportDtoTo((problem) => vague.push(problem), where);
}

function reportNested({ dto, properties }: ClassPlan, report: ReportDto): void {
  for (const { name, value } of properties) {
    const held = value.items ?? value;
    if (held.union) {
      report(dto, name, dtoProblem('SIGIL_DTO_UNION_NOT_FLAT'));
      continue;
    }
    if (isAnything(held)) continue;
    const isNested = held.nested ?? (held.kinds?.has('object') || (held !== value && held.kinds?.has('array')));
    if (isNested) report(dto, name, dtoProblem('SIGIL_DTO_NOT_FLAT'));
  }
}

// DTO class -> the shape that writes return values of handlers.

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
  return new ClassShape(plan, vague);
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
