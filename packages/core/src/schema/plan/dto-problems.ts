/** What can be wrong with a DTO, each with its mend. */
import type { Class } from '../../values/class';
import type { DefinitionProblem, ReportProblem } from '../../errors/definition-error';

/** A problem without its place. */
export type DtoProblem = Omit<DefinitionProblem, 'where'>;

/** Reports a problem of a class or of one of its properties. */
export type ReportDto = (dto: Class, property: string | undefined, problem: DtoProblem) => void;

/** Names class and property in front of what is wrong; `where` is the member that uses the class. */
export function reportDtoTo(report: ReportProblem, where: string): ReportDto {
  return (dto, property, { code, what, mend }) => {
    const name = dto.name || 'An anonymous class';
    report({ code, where, what: `${property === undefined ? name : `${name}.${property}`} ${what}`, mend });
  };
}

/** The problems by what they are about. */
export const dtoProblems = {
  notConstructible: (): DtoProblem => ({
    code: 'SIGIL_DTO_NOT_CONSTRUCTIBLE',
    what: 'cannot be constructed without arguments: its constructor throws.',
    mend: 'Give the class a constructor that works without arguments, or none.',
  }),
  withoutDecorator: (): DtoProblem => ({
    code: 'SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR',
    what: 'is declared without a decorator, so that nobody may send it.',
    mend: 'Decorate it, for example with @IsString() or @Allow(), or make it a #private field.',
  }),
  withoutType: (): DtoProblem => ({
    code: 'SIGIL_DTO_PROPERTY_WITHOUT_TYPE',
    what: 'has no type that is known at run time.',
    mend:
      'Add a decorator that names the type (@IsString(), @IsInt(), @IsEnum(...), ...), import its class as a value ' +
      '(not with `import type`), or accept any value with @Allow() on a property of type `unknown`.',
  }),
  nestedWithoutType: (): DtoProblem => ({
    code: 'SIGIL_DTO_NESTED_WITHOUT_TYPE',
    what: 'is nested, but its class is not known at run time.',
    mend: 'Add @Type(() => TheClass), and import the class as a value (not with `import type`).',
  }),
  nestedNotValidated: (nested: Class): DtoProblem => ({
    code: 'SIGIL_DTO_NESTED_WITHOUT_VALIDATION',
    what: `holds ${nested.name}, which would not be validated.`,
    mend: 'Add @ValidateNested(), with { each: true } for an array.',
  }),
  discriminated: (): DtoProblem => ({
    code: 'SIGIL_DTO_DISCRIMINATOR',
    what: 'chooses its class by a discriminator, which is not supported.',
    mend: 'Use one property per class, or a raw JSON Schema with anyOf.',
  }),
  contradictory: (names: readonly string[]): DtoProblem => ({
    code: 'SIGIL_DTO_CONTRADICTION',
    what: `accepts no value at all: ${names.join(', ')} contradict each other.`,
    mend: 'Remove one of the decorators; on an array, those about its items need { each: true }.',
  }),
  twoNames: (wireName: string): DtoProblem => ({
    code: 'SIGIL_DTO_NAME_TWICE',
    what: `is exposed as '${wireName}', the name of another property.`,
    mend: 'Give each property its own name.',
  }),
  readOnly: (): DtoProblem => ({
    code: 'SIGIL_DTO_READ_ONLY',
    what: 'has a getter but no setter, so that nothing can be read into it.',
    mend: 'Make it a plain property, or exclude it with @Exclude({ toClassOnly: true }).',
  }),
  notFlat: (): DtoProblem => ({
    code: 'SIGIL_DTO_NOT_FLAT',
    what: 'is an object, but prompt arguments and URI variables are only strings.',
    mend: 'Use a string, number, boolean, enum or an array of them.',
  }),
  notInForm: (what: string, mend: string): DtoProblem => ({
    code: 'SIGIL_DTO_NOT_IN_FORM',
    what: `${what}, but a form of elicitation is flat: text, numbers, yes or no, and choices among strings.`,
    mend,
  }),
  valueTitles: (what: string, mend: string): DtoProblem => ({
    code: 'SIGIL_DTO_VALUE_TITLES',
    what: `has @ValueTitles, but ${what}.`,
    mend,
  }),
};
