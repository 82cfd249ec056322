/** DTO class -> the form that asks for it, and the reader of the answer. */
import {
  shorten,
  type Class,
  type DefinitionProblem,
  type ErrorWords,
  type FormField,
  type FormSchema,
  type ReportProblem,
} from '@sigil-mcp/base';
import { factsByMember } from '@sigil-mcp/base/facts';
import { sensitives, valueTitles } from '../dto-facts';
import { schemaWords } from '../errors/errors';
import { dtoProblems, reportDtoTo, type ReportDto } from '../plan/dto-problems';
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
  for (const name of factsByMember(sensitives, dto).keys()) report(dto, name, dtoProblems.formSensitive());
  const fields = properties.flatMap((property): [string, FormField][] => {
    const { name, wireName } = property;
    const field = writeField(property, titles.get(name)?.[0], (problem) => report(dto, name, problem));
    return field ? [[wireName, field]] : [];
  });
  const required = properties.filter(({ presence }) => presence.required === 'always').map(({ wireName }) => wireName);
  return { type: 'object', properties: Object.fromEntries(fields), ...(required.length > 0 && { required }) };
}

// The problems of a form that is given as a schema, each under its code.

/** A text of the author's, cut to what fits into a sentence. */
const quote = (text: string): string => shorten(JSON.stringify(text), 100);

/** The problems by what they are about. */
export const formProblems = {
  noForm: (problem: string): ErrorWords => schemaWords('SIGIL_FORM_INVALID', { problem }),
  notFlat: (name: string, type: unknown): ErrorWords =>
    schemaWords('SIGIL_FORM_NOT_FLAT', {
      field: quote(name),
      type: typeof type === 'string' ? `has the type ${quote(type)}` : 'has no type',
    }),
  keyword: (name: string, keyword: string, known: readonly string[]): ErrorWords =>
    schemaWords('SIGIL_FORM_KEYWORD', { field: quote(name), keyword: quote(keyword), known: known.join(', ') }),
  value: (name: string, keyword: string, wanted: string): ErrorWords =>
    schemaWords('SIGIL_FORM_KEYWORD_VALUE', { field: quote(name), keyword: quote(keyword), wanted }),
  required: (name: string): ErrorWords => schemaWords('SIGIL_FORM_REQUIRED', { field: quote(name) }),
  defaultRefused: (name: string, reason: string): ErrorWords =>
    schemaWords('SIGIL_FORM_DEFAULT', { field: quote(name), reason }),
};
