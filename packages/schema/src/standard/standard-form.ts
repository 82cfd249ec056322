/**
 * A schema of another library -> its form. Forms are limited: a rule that a field cannot express, such as a pattern, is still checked
 * for the answer, by the library.
 */
import { isObject, type FormSchema, type JsonObject, type ReportProblem } from '@sigil-mcp/base';
import { FORM_FORMATS } from '../date-text';
import type { FormShape, JsonSchema } from '../value-plan';
import { rawForm } from '../forms/read-form';
import { readWithoutBlanks } from '../read/read-whole';
import { resolveReference } from '../local-reference';
import type { StandardSchema } from '../standard-schema';
import { compileStandardInput } from './compile-standard';

/** The keywords that forms know, but `format`: of that they know some values. */
const WORDS: ReadonlySet<string> = new Set(
  'type title description default enum enumNames oneOf minLength maxLength minimum maximum items minItems maxItems'.split(
    ' ',
  ),
);

/** Compiles a schema as a form; undefined if a problem was reported, also for what is too rich for a form. */
export function compileStandardForm(
  source: StandardSchema,
  report: ReportProblem,
  where: string,
): FormShape | undefined {
  const input = compileStandardInput(source, report, where);
  if (!input) return undefined;
  const schema = formOf(input.schema);
  if (!rawForm(schema, report, where)) return undefined;
  const known = new Set(Object.keys(schema.properties));
  const { required = [] } = schema;
  const optional = new Set([...known].filter((name) => !required.includes(name)));
  const read = (content: unknown): ReturnType<typeof input.read> =>
    readWithoutBlanks((value) => input.read(value), optional, content);
  return { schema, read: (content) => read(isObject(content) ? onlyKnown(content, known) : content) };
}

function formOf(root: JsonSchema): FormSchema {
  const { properties, required } = resolveReference(root, root);
  const fields = Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => [
    name,
    isObject(field) ? fieldOf(resolveReference(field, root), root) : field,
  ]);
  const schema: JsonObject = { type: 'object', properties: Object.fromEntries(fields) as JsonObject };
  const names = Array.isArray(required) && required.length > 0 ? { required: required as string[] } : {};
  // Whether it is a form is checked field by field.
  return { ...schema, ...names } as unknown as FormSchema;
}

function fieldOf(field: JsonSchema, root: JsonSchema): JsonSchema {
  const { const: only, format, items, ...others } = field;
  const kept = Object.entries(others).filter(([keyword]) => WORDS.has(keyword));
  const values = only === undefined ? field['enum'] : [only];
  const isChoice = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return {
    // Of a choice some libraries name the values alone.
    ...(isChoice && { type: 'string' }),
    ...Object.fromEntries(kept),
    ...(isChoice && { enum: values }),
    ...(FORM_FORMATS.some((known) => known === format) && { format }),
    ...(isObject(items) && { items: fieldOf(resolveReference(items, root), root) }),
  };
}

/** The answer without what was not asked, which a strict schema would refuse. */
function onlyKnown(content: Readonly<Record<string, unknown>>, known: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(content).filter(([name]) => known.has(name)));
}
