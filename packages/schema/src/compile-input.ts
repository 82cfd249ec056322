/** DTO class -> the shape that reads it. */
import type { Class, DefinitionProblem, ReportProblem } from '@sigil-mcp/base';
import type { InputShape, Reading } from './compiled-shape';
import type { ReadValue } from './read/compile-value';
import { readWhole } from './read/read-whole';
import { dtoProblems, reportDtoTo, type ReportDto } from './plan/dto-problems';
import { listStricter } from './write/list-stricter';
import { isAnything } from './read/accept-kinds';
import { planClass, type PlannedBefore } from './plan/plan-class';
import { compileInputReader, readBlanks, type InputOptions } from './read/read-object';
import type { JsonSchema } from './json-schema';
import type { ClassPlan } from './value-plan';
import { partsOfClass, type SensitivePart } from './sensitive/sensitive-parts';
import { writeSchema } from './write/write-schema';

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
  return new ReadClass(plan, options, vague);
}

/**
 * Its reader is compiled by the first call and kept: everything that can be wrong with the class was found when it was planned, and of
 * a thousand tools most are never called.
 */
class ReadClass implements InputShape {
  readonly schema: JsonSchema;
  #read: ReadValue | undefined;
  #sensitive: readonly SensitivePart[] | undefined;

  constructor(
    private readonly plan: ClassPlan,
    private readonly options: InputOptions,
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

  read(value: unknown): Reading<unknown> | Promise<Reading<unknown>> {
    const read = (this.#read ??= compileInputReader(this.plan, this.options));
    return this.options.strings ? readBlanks(read, this.plan, value) : readWhole(read, value);
  }
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
      report(dto, name, dtoProblems.unionNotFlat());
      continue;
    }
    if (isAnything(held)) continue;
    const isNested = held.nested ?? (held.kinds?.has('object') || (held !== value && held.kinds?.has('array')));
    if (isNested) report(dto, name, dtoProblems.notFlat());
  }
}
