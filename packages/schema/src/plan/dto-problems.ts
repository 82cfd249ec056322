/** The problems of a DTO, each under its code. */
import { fillWords, type Class, type ErrorWords, type ReportProblem, type ValuesOf } from '@sigil-mcp/base';
import { DTO_ERRORS } from '../errors/dto-errors';

/** A problem without its place; its sentences begin with the class, or with the class and its property. */
export type DtoProblem = (place: string) => ErrorWords;

/** Reports a problem of a class or of one of its properties. */
export type ReportDto = (dto: Class, property: string | undefined, problem: DtoProblem) => void;

/** Names class and property in what is wrong; `where` is the member that uses the class. */
export function reportDtoTo(report: ReportProblem, where: string): ReportDto {
  return (dto, property, problem) => {
    const name = dto.name || 'An anonymous class';
    report({ where, ...problem(property === undefined ? name : `${name}.${property}`) });
  };
}

type DtoErrors = typeof DTO_ERRORS;

/** What a problem says besides its place. */
type ProblemValues<Code extends keyof DtoErrors> =
  ValuesOf<DtoErrors[Code]> extends [infer Values]
    ? [Exclude<keyof Values, 'property' | 'dto'>] extends [never]
      ? []
      : [details: Omit<Values, 'property' | 'dto'>]
    : [];

/** The problem with a code. */
export function dtoProblem<Code extends keyof DtoErrors>(code: Code, ...details: ProblemValues<Code>): DtoProblem {
  const [more = {}] = details as readonly object[];
  return (place) => fillWords(code, DTO_ERRORS[code], { ...more, property: place, dto: place });
}
