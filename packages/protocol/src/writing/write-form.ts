/** Writes the form of an elicitation with the kinds of fields that a revision knows. */
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject } from '../jsonrpc/message';
import type { ChoiceField, ChoicesField, FormField, FormSchema, TitledValue } from '../model/elicitation';
import type { WireRules } from '../rules/wire-rules';

/** Compiles the writer of forms. If the revision knows every kind of field, there is nothing to translate. */
export function formWriter({ formFields }: WireRules): (form: FormSchema) => JsonObject {
  return formFields === 'rich' ? asJsonObject : writePlainForm;
}

/** Only text, numbers, booleans and single choices; titles of values in `enumNames`; defaults only of booleans. */
function writePlainForm({ properties, ...form }: FormSchema): JsonObject {
  const fields = Object.entries(properties).map(([name, field]): [string, JsonObject] => [name, writePlain(field)]);
  return { ...form, properties: Object.fromEntries(fields) };
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

/** A choice of several values has no field there: it becomes a text field. */
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
