/** Writes the form of an elicitation, and reads what older clients can only answer in other words. */
import { asJsonObject } from '../jsonrpc/json-object';
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { ChoiceField, ChoicesField, FormField, FormSchema, TitledValue } from '../model/elicitation';
import type { RevisionRules } from './revision-rules';

/** How a revision's forms are written, and their contents read. */
export interface FormWords {
  write(form: FormSchema): JsonObject;
  /** The content of an answer, as if the form had been shown in the newest words. */
  readContent(form: FormSchema, content: JsonObject): JsonObject;
}

/** Where a client knows every kind of field there is nothing to translate. */
const RICH: FormWords = { write: asJsonObject, readContent: (_form, content) => content };

/** Only text, numbers, booleans and single choices; titles of values beside them; defaults only of booleans. */
const PLAIN: FormWords = {
  write: ({ properties, ...form }) => ({
    ...form,
    properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, writePlain(field)])),
  }),
  readContent: ({ properties, required }, content) => {
    const given = Object.entries(content).filter(
      ([name, value]) => !(isBlankChoice(properties[name], value) && required?.includes(name) !== true),
    );
    return Object.fromEntries(given.map(([name, value]) => [name, readPlain(properties[name], value)]));
  },
};

/** The words of a revision's forms. */
export function formWords({ formFields }: RevisionRules): FormWords {
  return formFields === 'rich' ? RICH : PLAIN;
}

function writePlain(field: FormField): JsonObject {
  if (field.type === 'array') return writeChoices(field);
  if (field.type === 'boolean') return asJsonObject(field);
  const { default: _default, ...rest } = field;
  return 'oneOf' in rest ? writeTitled(rest) : asJsonObject(rest);
}

function writeTitled({ oneOf, ...rest }: Extract<ChoiceField, { readonly oneOf: unknown }>): JsonObject {
  return { ...rest, enum: oneOf.map(({ const: value }) => value), enumNames: oneOf.map(({ title }) => title) };
}

/** Several choices at once have no field there: they are typed as text. */
function writeChoices({ title, description, items }: ChoicesField): JsonObject {
  const choices = 'enum' in items ? items.enum.join(', ') : items.anyOf.map(describeChoice).join(', ');
  const hint = `Separated by commas, any of: ${choices}`;
  return {
    type: 'string',
    ...(title !== undefined && { title }),
    description: description === undefined ? hint : `${description} (${hint})`,
  };
}

function describeChoice({ const: value, title }: TitledValue): string {
  return `${value} (${title})`;
}

/** Where nobody must choose, a text that was left blank is no choice of nothing. */
function isBlankChoice(field: FormField | undefined, value: JsonValue | undefined): boolean {
  return field?.type === 'array' && typeof value === 'string' && value.trim() === '';
}

function readPlain(field: FormField | undefined, value: JsonValue | undefined): JsonValue | undefined {
  if (field?.type !== 'array' || typeof value !== 'string') return value;
  const { items } = field;
  return readChoices(value, 'enum' in items ? items.enum : items.anyOf.map(({ const: choice }) => choice));
}

/** Choices are told apart by commas, but one of them may hold some itself: the longest that is known goes first. */
function readChoices(text: string, known: readonly string[]): string[] {
  const parts = text.split(',');
  const read: string[] = [];
  for (let begin = 0; begin < parts.length;) {
    const taken = longestChoice(parts, begin, known);
    const choice = parts
      .slice(begin, begin + taken)
      .join(',')
      .trim();
    if (choice !== '') read.push(choice);
    begin += taken;
  }
  return read;
}

/** How many parts the longest known choice has that begins here; one if none is known. */
function longestChoice(parts: readonly string[], begin: number, known: readonly string[]): number {
  const mostCommas = Math.max(0, ...known.map((choice) => choice.split(',').length));
  for (let count = Math.min(mostCommas, parts.length - begin); count > 1; count -= 1) {
    if (
      known.includes(
        parts
          .slice(begin, begin + count)
          .join(',')
          .trim(),
      )
    )
      return count;
  }
  return 1;
}
