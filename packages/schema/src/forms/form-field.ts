/** One planned property -> the field of a form, as far as the flat schema of forms can express it. */
import type { FormField } from '@sigil-mcp/base';
import { acceptsWhole, kindWords } from '../read/accept-kinds';
import { schemaWords } from '../errors/errors';
import { dtoProblem, type DtoProblem } from '../plan/dto-problems';
import type { JsonSchema, PropertyPlan, ValuePlan } from '../value-plan';

/** What is read instead of each value. */
type Titles = Readonly<Record<string, string>>;

type Report = (problem: DtoProblem) => void;

interface Choosing {
  readonly titles: Titles | undefined;
  readonly report: Report;
}

/** Writes a field; undefined after a problem was reported. */
export function writeField(property: PropertyPlan, titles: Titles | undefined, report: Report): FormField | undefined {
  const { value, description, presence, extraKeywords } = property;
  // What only its condition lets be null is asked for as what else it is: a form has no null.
  const words = bareField(presence.nullByCondition ? { ...value, nullable: false } : value, { titles, report });
  if (!words) return undefined;
  if (titles && !offeredBy(value))
    report((name) => schemaWords('SIGIL_VALUE_TITLES_WITHOUT_VALUES', { property: name }));
  const { title } = extraKeywords;
  const field = {
    ...words,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(presence.listedDefault && presence.listedDefault.json !== null && { default: presence.listedDefault.json }),
  };
  return field as unknown as FormField; // put together by type below; a default was accepted by the property's own rules
}

/** The problems by what they are about. */
const notInForm = {
  object:
    (kinds: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_FORM_OBJECT', { property, kinds }),
  null: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_FORM_NULL', { property }),
  array:
    (items: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_FORM_ARRAY', { property, items }),
  numberChoice: (): DtoProblem => (property) => schemaWords('SIGIL_DTO_FORM_NUMBER_CHOICE', { property }),
  manyKinds:
    (kinds: string): DtoProblem =>
    (property) =>
      schemaWords('SIGIL_DTO_FORM_MANY_KINDS', { property, kinds }),
};

function bareField(plan: ValuePlan, choosing: Choosing): JsonSchema | undefined {
  const { kinds, allowed, nested, items, nullable } = plan;
  const tell = (problem: DtoProblem): undefined => void choosing.report(problem);
  const words = kindWords(plan).replace(/^must be /, '');
  if (nested) return tell(notInForm.object('an object'));
  if (nullable) return tell(notInForm.null());
  if (kinds === undefined) return tell(notInForm.manyKinds('any value'));
  const [kind, another] = kinds;
  if (another !== undefined) return tell(notInForm.manyKinds(words));
  if (kind === 'array') {
    const choices = items && choicesField(plan, items, choosing);
    return choices ?? tell(notInForm.array(items?.nested ? 'objects' : 'free values'));
  }
  if (kind === 'boolean') return { type: 'boolean' };
  if (kind === 'number') return allowed ? tell(notInForm.numberChoice()) : numberField(plan);
  if (kind === 'string' || kind === 'date') return allowed ? choiceField(plan, choosing) : textField(plan);
  return tell(notInForm.object(words));
}

function textField(plan: ValuePlan): JsonSchema {
  const { kinds, keywords } = plan;
  const { minLength, maxLength } = keywords;
  // A format that lets through what a decorator refuses is not published: @IsUrl() takes no `urn:`.
  const known = plan.checks().find(({ formFormat }) => formFormat)?.formFormat;
  const format = kinds?.has('date') ? 'date-time' : known;
  return {
    type: 'string',
    ...(minLength !== undefined && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(format !== undefined && { format }),
  };
}

/** A form has no exclusive bounds; between whole numbers they are the next ones. */
function numberField({ integer, keywords }: ValuePlan): JsonSchema {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = keywords;
  const lower = [minimum, integer && isNumber(above) ? Math.floor(above) + 1 : undefined].filter(isNumber);
  const upper = [maximum, integer && isNumber(below) ? Math.ceil(below) - 1 : undefined].filter(isNumber);
  return {
    type: integer ? 'integer' : 'number',
    ...(lower.length > 0 && { minimum: Math.max(...lower) }),
    ...(upper.length > 0 && { maximum: Math.min(...upper) }),
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}

function choiceField(plan: ValuePlan, { titles, report }: Choosing): JsonSchema {
  const values = choicesOf(plan, report);
  return { type: 'string', ...(titles ? { oneOf: withTitles(values, titles, report) } : { enum: values }) };
}

function choicesField(plan: ValuePlan, items: ValuePlan, { titles, report }: Choosing): JsonSchema | undefined {
  if (!items.allowed?.every((value) => typeof value === 'string')) return undefined;
  const { minItems, maxItems } = plan.keywords;
  const values = choicesOf(items, report);
  return {
    type: 'array',
    items: titles ? { anyOf: withTitles(values, titles, report) } : { type: 'string', enum: values },
    ...(minItems !== undefined && { minItems }),
    ...(maxItems !== undefined && { maxItems }),
  };
}

function offeredBy({ allowed, items }: ValuePlan): boolean {
  return (items ?? { allowed }).allowed !== undefined;
}

/** What is offered is what the other rules of the property accept too. */
function choicesOf(plan: ValuePlan, report: Report): readonly string[] {
  const values = (plan.allowed ?? []).map(String).filter((value) => acceptsWhole(plan, value));
  if (values.length === 0)
    report(dtoProblem('SIGIL_DTO_CONTRADICTION', { reason: 'its other decorators refuse each of its values' }));
  return values;
}

function withTitles(values: readonly string[], titles: Titles, report: Report): readonly JsonSchema[] {
  const missing = values.filter((value) => !Object.hasOwn(titles, value));
  const strangers = Object.keys(titles).filter((value) => !values.includes(value));
  if (missing.length > 0)
    report((property) => schemaWords('SIGIL_VALUE_TITLES_MISSING', { property, values: quoted(missing) }));
  if (strangers.length > 0)
    report((property) => schemaWords('SIGIL_VALUE_TITLES_UNKNOWN', { property, values: quoted(strangers) }));
  return values.map((value) => ({ const: value, title: titles[value] }));
}

function quoted(values: readonly string[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
