/** The problems of a DTO, each under its code. */
import { shorten, type Class, type ErrorWords, type ReportProblem } from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';

/** A problem without its place; its sentences begin with the class, or with the class and its property. */
export type DtoProblem = (property: string) => ErrorWords;

/** Reports a problem of a class or of one of its properties. */
export type ReportDto = (dto: Class, property: string | undefined, problem: DtoProblem) => void;

/** Names class and property in what is wrong; `where` is the member that uses the class. */
export function reportDtoTo(report: ReportProblem, where: string): ReportDto {
  return (dto, property, problem) => {
    const name = dto.name || 'An anonymous class';
    report({ where, ...problem(property === undefined ? name : `${name}.${property}`) });
  };
}

/** The problems by what they are about. */
export const dtoProblems = {
  notConstructible: (): DtoProblem => (dto) => schemaWords('SIGIL_DTO_NOT_CONSTRUCTIBLE', { dto }),
  withoutDecorator: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR', { property }),
  withoutType: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_PROPERTY_WITHOUT_TYPE', { property }),
  typeByValue: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_TYPE_BY_VALUE', { property }),
  nestedWithoutType: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_NESTED_WITHOUT_TYPE', { property }),
  nestedNotValidated:
    (nested: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_NESTED_WITHOUT_VALIDATION', { property, nested }),
  discriminated:
    (reason: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_DISCRIMINATOR', { property, reason }),
  union:
    (reason: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_UNION', { property, reason }),
  noRecord:
    (type: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_NO_RECORD', { property, type }),
  formSensitive: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_FORM_SENSITIVE', { property }),
  unionNotFlat: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_UNION_NOT_FLAT', { property }),
  contradictory:
    (reason: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_CONTRADICTION', { property, reason }),
  wrongType:
    (words: { readonly type: string; readonly reason: string; readonly advice: string }): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_WRONG_TYPE', { property, ...words }),
  withoutJson:
    (type: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_TYPE_WITHOUT_JSON', { property, type }),
  asyncTransform: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_ASYNC_TRANSFORM', { property }),
  erased: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_TYPE_ERASED', { property }),
  anyValue: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_ANY_VALUE', { property }),
  anyItems: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_ANY_ITEMS', { property }),
  anyMembers:
    (type: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_ANY_MEMBERS', { property, type }),
  listOrRecord:
    (nested: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_LIST_OR_RECORD', { property, nested }),
  rulesOfGroups:
    (rules: readonly string[]): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_GROUPS', {
        property,
        what: `${rules.join(', ')} with groups`,
        effect: 'apply to every value',
      }),
  transformOfGroups: (): DtoProblem => (property) =>
    schemaWords('SIGIL_DTO_GROUPS', { property, what: '@Transform() with groups', effect: 'never run' }),
  eachOfOne:
    (rules: readonly string[]): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_EACH_OF_ONE', { property, rules: rules.join(', ') }),
  twoNames:
    (name: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_NAME_TWICE', { property, name }),
  readOnly: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_READ_ONLY', { property }),
  runaway:
    (expression: RegExp): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_RUNAWAY_PATTERN', { property, pattern: shorten(String(expression), 200) }),
  mappedUnknown:
    (names: readonly string[]): DtoProblem =>
    (dto) =>
      schemaWords('SIGIL_MAPPED_UNKNOWN', { dto, names: names.map((name) => `'${name}'`).join(', ') }),
  mappedByNest:
    (lost: readonly string[]): DtoProblem =>
    (dto) =>
      schemaWords('SIGIL_MAPPED_BY_NEST', { dto, lost: lost.join(', ') }),
  defaultsByNest:
    (names: readonly string[]): DtoProblem =>
    (dto) =>
      schemaWords('SIGIL_MAPPED_DEFAULTS', { dto, names: names.join(', ') }),
  notFlat: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_NOT_FLAT', { property }),
};
