/** Whether a schema that is made at run time can be a form; problems are reported with their field. */
import { isObject, shorten, type ErrorWords, type FormSchema } from '@sigil-mcp/base';
import { FORM_FORMATS } from '../date-text';
import { schemaWords } from '../errors/errors';

type FormKeywords = Readonly<Record<string, unknown>>;

/** What a keyword must hold, in words and as a test. */
interface KeywordRule {
  readonly words: string;
  test(value: unknown, field: FormKeywords): boolean;
}

const text: KeywordRule = { words: 'a string', test: (value) => typeof value === 'string' };
const count: KeywordRule = {
  words: 'a whole number from 0',
  test: (value) => Number.isInteger(value) && Number(value) >= 0,
};
const finite: KeywordRule = { words: 'a finite number', test: Number.isFinite };
const any: KeywordRule = { words: 'a value', test: () => true };
const format: KeywordRule = {
  words: `one of ${FORM_FORMATS.join(', ')}`,
  test: (value) => FORM_FORMATS.some((known) => known === value),
};
const choices: KeywordRule = { words: 'a list of different strings with at least one', test: isChoice };
const titledChoices: KeywordRule = {
  words: 'a list of { const, title } with at least one, all strings, no const twice',
  test: (value) => Array.isArray(value) && value.every(isTitled) && isChoice(value.map(({ const: each }) => each)),
};
const names: KeywordRule = {
  words: 'a list of strings, one for each value of the enum',
  test: (value, field) =>
    isTexts(value) && Array.isArray(field['enum']) && (value as unknown[]).length === field['enum'].length,
};
const items: KeywordRule = {
  words: "{ type: 'string', enum: [...] } or { anyOf: [{ const, title }, ...] } with different strings",
  test: isItems,
};

const common = { type: any, title: text, description: text, default: any };
const chosen = { ...common, enum: choices, enumNames: names };
const titled = { ...common, oneOf: titledChoices };
const typed = { ...common, minLength: count, maxLength: count, format };
const number = { ...common, minimum: finite, maximum: finite };
const several = { ...common, items, minItems: count, maxItems: count };

/** Every problem of a form, in the order of its fields. */
export function checkForm(schema: FormSchema): ErrorWords[] {
  const given: unknown = schema; // its type is the author's promise, which JavaScript and data do not keep
  if (!isObject(given)) return [noForm('is not an object')];
  const { type, properties, required = [], ...others } = given;
  const [other] = Object.keys(others).filter((keyword) => others[keyword] !== undefined);
  if (type !== 'object') return [noForm("does not have the type 'object'")];
  if (other !== undefined) return [noForm(`has ${JSON.stringify(other)} at its root`)];
  if (!isObject(properties)) return [noForm('has no properties')];
  if (!isTexts(required)) return [noForm('requires something else than a list of names')];
  const strangers = required.filter((name) => !Object.hasOwn(properties, name));
  const fields = Object.entries(properties).flatMap(([name, field]) => checkField(name, field));
  return [...fields, ...strangers.map((name) => schemaWords('SIGIL_FORM_REQUIRED', { field: quote(name) }))];
}

function noForm(problem: string): ErrorWords {
  return schemaWords('SIGIL_FORM_INVALID', { problem });
}

/** A text of the author's, cut to what fits into a sentence. */
export function quote(text: string): string {
  return shorten(JSON.stringify(text), 100);
}

function checkField(name: string, field: unknown): ErrorWords[] {
  const known = isObject(field) ? keywordsOf(field) : undefined;
  if (!isObject(field) || !known) {
    const type = isObject(field) && typeof field['type'] === 'string' ? `the type ${quote(field['type'])}` : 'no type';
    return [schemaWords('SIGIL_FORM_NOT_FLAT', { field: quote(name), type: `has ${type}` })];
  }
  const keywords = new Map<string, KeywordRule>(Object.entries(known));
  const problems = Object.entries(field).flatMap(([keyword, value]): ErrorWords[] => {
    if (value === undefined) return [];
    const wanted = keywords.get(keyword);
    const place = { field: quote(name), keyword: quote(keyword) };
    if (!wanted) return [schemaWords('SIGIL_FORM_KEYWORD', { ...place, known: [...keywords.keys()].join(', ') })];
    return wanted.test(value, field)
      ? []
      : [schemaWords('SIGIL_FORM_KEYWORD_VALUE', { ...place, wanted: wanted.words })];
  });
  const isUnasked = field['type'] === 'array' && field['items'] === undefined;
  const unasked = { field: quote(name), keyword: quote('items'), wanted: items.words };
  return isUnasked ? [...problems, schemaWords('SIGIL_FORM_KEYWORD_VALUE', unasked)] : problems;
}

function keywordsOf(field: FormKeywords): Readonly<Record<string, KeywordRule>> | undefined {
  switch (field['type']) {
    case 'string':
      return field['enum'] !== undefined ? chosen : field['oneOf'] !== undefined ? titled : typed;
    case 'number':
    case 'integer':
      return number;
    case 'boolean':
      return common;
    case 'array':
      return several;
    default:
      return undefined;
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isChoice(value: unknown): boolean {
  return isTexts(value) && value.length > 0 && new Set(value).size === value.length;
}

function isTitled(value: unknown): value is { readonly const: unknown; readonly title: string } {
  if (!isObject(value) || Object.keys(value).some((key) => key !== 'const' && key !== 'title')) return false;
  return typeof value['title'] === 'string' && Object.hasOwn(value, 'const');
}

function isItems(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { type, enum: values, anyOf, ...others } = value;
  if (Object.keys(others).length > 0) return false;
  return anyOf === undefined
    ? type === 'string' && isChoice(values)
    : type === undefined && values === undefined && titledChoices.test(anyOf, value);
}
