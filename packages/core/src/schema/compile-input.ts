/** DTO class -> the shape that reads it. */
import type { Class } from '../values/class';
import type { DefinitionProblem, ReportProblem } from '../errors/definition-error';
import type { InputShape } from './compiled-shape';
import { readWhole } from './read/read-whole';
import { dtoProblems, reportDtoTo, type ReportDto } from './plan/dto-problems';
import { listStricter } from './write/list-stricter';
import { compileWhenAsked } from './read/object-readers';
import { planClass } from './plan/plan-class';
import { compileObjectReader, type InputOptions } from './read/read-object';
import type { ClassPlan } from './value-plan';
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
  options: InputOptions,
  report: ReportProblem,
  where: string,
): InputShape | undefined {
  const problems: DefinitionProblem[] = [];
  const reportDto = reportDtoTo((problem) => problems.push(problem), where);
  const plan = planClass(dto, 'input', reportDto);
  if (options.strings) reportNested(plan, reportDto);
  problems.forEach(report);
  if (problems.length > 0) return undefined;
  const read = compileWhenAsked(plan, () => compileObjectReader(options));
  return { schema: writeSchema(plan), stricter: listStricter(plan), read: (value) => readWhole(read(), value) };
}

function reportNested({ dto, properties }: ClassPlan, report: ReportDto): void {
  for (const { name, value } of properties) {
    const held = value.items ?? value;
    if (held.union) {
      report(dto, name, dtoProblems.unionNotFlat());
      continue;
    }
    const isNested = held.nested ?? (held.kinds?.has('object') || (held !== value && held.kinds?.has('array')));
    if (isNested) report(dto, name, dtoProblems.notFlat());
  }
}
