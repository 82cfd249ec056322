/**
 * A form that is given as a schema, because its choices are known only at run time (they come from a database): the schema is shown
 * unchanged, and answers are read by it, without a class.
 */
import {
  isObject,
  shorten,
  type ChoiceField,
  type ChoicesField,
  type FormField,
  type FormSchema,
  type JsonObject,
  type JsonValue,
  type ReportProblem,
} from '@sigil-mcp/base';
import { schemaWords } from '../errors/errors';
import { checkForm, quote } from './check-form';
import { amount, hasLength } from '../code-points';
import { DATE_WORDS, FITS_FORMAT, type FormFormat } from '../date-text';
import type { FormShape, Reading } from '../value-plan';
import { noteFailure, openTraversal, type Location } from '../read/compile-value';

/** What is wrong with a value of a field; undefined for nothing. */
type FieldCheck = (value: unknown) => string | undefined;

/**
 * Compiles a form that is given as a schema. Its answers are plain objects: unknown members are dropped, defaults stand in
 * for what is absent.
 *
 * @param report gets every problem of the schema
 * @param where the member that asks, for the report
 * @returns undefined if a problem was reported
 */
export function rawForm(schema: FormSchema, report: ReportProblem, where: string): FormShape<JsonObject> | undefined {
  const found = checkForm(schema);
  const fields = found.length > 0 ? [] : compileFields(schema);
  const refused = fields.flatMap(({ name, judge, standIn }) => {
    const reason = standIn === undefined ? undefined : judge(standIn);
    return reason === undefined ? [] : [schemaWords('SIGIL_FORM_DEFAULT', { field: quote(name), reason })];
  });
  const problems = [...found, ...refused];
  for (const problem of problems) report({ where, ...problem });
  return problems.length > 0 ? undefined : { schema, read: compileReader(fields) };
}

interface FieldReader {
  readonly name: string;
  readonly required: boolean;
  readonly judge: FieldCheck;
  /** The default, which is read where nothing was given. */
  readonly standIn: JsonValue | undefined;
}

function compileFields({ properties, required = [] }: FormSchema): readonly FieldReader[] {
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    judge: judgeOf(field),
    standIn: field.default,
  }));
}

function compileReader(fields: readonly FieldReader[]): (content: unknown) => Reading<JsonObject> {
  const root: Location = { parent: undefined, key: '' };
  return (content) => {
    const traversal = openTraversal();
    const at = (key: string): Location => ({ parent: root, key });
    if (!isObject(content)) noteFailure(traversal, root, 'must be an object');
    const given = isObject(content) ? content : {};
    const values = fields.flatMap(({ name, required, judge, standIn }): [string, unknown][] => {
      const sent = Object.hasOwn(given, name) ? given[name] : undefined;
      // A host sends an empty text for a field that its user left empty.
      const value = sent === '' && !required && judge(sent) !== undefined ? undefined : sent;
      const reason = value === undefined ? (required ? 'is required' : undefined) : judge(value);
      if (reason !== undefined) noteFailure(traversal, at(name), reason);
      const read = value ?? standIn;
      return read === undefined ? [] : [[name, Array.isArray(read) ? [...(read as unknown[])] : read]];
    });
    if (traversal.failures.length > 0) return { ok: false, failures: traversal.failures };
    return { ok: true, value: Object.fromEntries(values) as JsonObject }; // every member was judged by its field
  };
}

function judgeOf(field: FormField): FieldCheck {
  switch (field.type) {
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? undefined : 'must be a boolean');
    case 'number':
    case 'integer':
      return judgeNumber(field);
    case 'array':
      return judgeChoices(field);
    default:
      return 'enum' in field || 'oneOf' in field ? judgeChoice(valuesOf(field)) : judgeText(field);
  }
}

type FieldOf<Type extends FormField['type']> = Extract<FormField, { readonly type: Type }>;
type FreeTextField = Exclude<FieldOf<'string'>, ChoiceField>;

function judgeText({ minLength = 0, maxLength = Infinity, format }: FreeTextField): FieldCheck {
  const words = `must have ${amount(minLength, maxLength, 'character')}`;
  return (value) => {
    if (typeof value !== 'string') return 'must be a string';
    if (!hasLength(value, minLength, maxLength)) return words;
    return format === undefined || FITS_FORMAT[format](value) ? undefined : `must be ${FORMAT_WORDS[format]}`;
  };
}

const FORMAT_WORDS: Readonly<Record<FormFormat, string>> = {
  email: 'an e-mail address',
  uri: 'an absolute URI',
  date: 'a date such as 2026-01-31',
  'date-time': DATE_WORDS,
};

function judgeNumber({ type, minimum = -Infinity, maximum = Infinity }: FieldOf<'number' | 'integer'>): FieldCheck {
  return (value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return `must be ${nouns[type]}`;
    if (type === 'integer' && !Number.isInteger(value)) return `must be ${nouns[type]}`;
    if (value < minimum) return `must be at least ${minimum}`;
    return value > maximum ? `must be at most ${maximum}` : undefined;
  };
}

const nouns = { number: 'a number', integer: 'an integer' };

function judgeChoice(values: readonly string[]): FieldCheck {
  const known = new Set<unknown>(values);
  const words = `must be one of ${listed(values)}`;
  return (value) => (known.has(value) ? undefined : words);
}

function judgeChoices({ items, minItems = 0, maxItems = Infinity }: ChoicesField): FieldCheck {
  const values = 'enum' in items ? items.enum : items.anyOf.map((each) => each.const);
  const known = new Set<unknown>(values);
  return (value) => {
    if (!Array.isArray(value)) return 'must be an array';
    if (value.length < minItems || value.length > maxItems) return `must have ${amount(minItems, maxItems, 'item')}`;
    // Over the indices, because a hole is no item that could be known.
    for (let index = 0; index < value.length; index += 1) {
      if (!known.has(value[index])) return `must hold only ${listed(values)}`;
    }
    return undefined;
  };
}

function valuesOf(field: ChoiceField): readonly string[] {
  return 'enum' in field ? field.enum : field.oneOf.map((each) => each.const);
}

function listed(values: readonly string[]): string {
  return shorten(values.map((value) => JSON.stringify(value)).join(', '), 300);
}
