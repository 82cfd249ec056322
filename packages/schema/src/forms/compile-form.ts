/** DTO class -> the form that asks for it, and the reader of the answer. */
import {
  type Class,
  type DefinitionProblem,
  type FormField,
  type FormSchema,
  type ReportProblem,
} from '@sigil-mcp/base';
import { factsByMember } from '@sigil-mcp/base/facts';
import { sensitives, valueTitles } from '../dto-facts';
import { dtoProblem, reportDtoTo, type ReportDto } from '../plan/dto-problems';
import { planClass } from '../plan/plan-class';
import type { ReadValue } from '../read/compile-value';
import { compileInputReader, readBlanks } from '../read/read-object';
import type { ClassPlan, FormShape } from '../value-plan';
import { writeField } from './form-field';

/**
 * Compiles a DTO as a form. What a form cannot say of a field, such as a pattern, is still asked of the answer.
 *
 * @param report gets every problem of the class, also of what is too rich for a form
 * @param where the member that uses it, for the report
 * @returns undefined if a problem was reported
 */
export function compileForm(dto: Class, report: ReportProblem, where: string): FormShape | undefined {
  const problems: DefinitionProblem[] = [];
  const reportDto = reportDtoTo((problem) => problems.push(problem), where);
  const plan = planClass(dto, { direction: 'input', report: reportDto });
  const schema = writeForm(plan, reportDto);
  problems.forEach(report);
  if (problems.length > 0) return undefined;
  let reader: ReadValue | undefined;
  return {
    schema,
    read: (content) => readBlanks((reader ??= compileInputReader(plan, { form: true })), plan, content),
  };
}

function writeForm({ dto, properties }: ClassPlan, report: ReportDto): FormSchema {
  const titles = factsByMember(valueTitles, dto);
  for (const name of factsByMember(sensitives, dto).keys()) report(dto, name, dtoProblem('SIGIL_DTO_FORM_SENSITIVE'));
  const fields = properties.flatMap((property): [string, FormField][] => {
    const { name, wireName } = property;
    const field = writeField(property, titles.get(name)?.[0], (problem) => report(dto, name, problem));
    return field ? [[wireName, field]] : [];
  });
  const required = properties.filter(({ presence }) => presence.required === 'always').map(({ wireName }) => wireName);
  return { type: 'object', properties: Object.fromEntries(fields), ...(required.length > 0 && { required }) };
}
