/** A form of a server: its fields, and the answers from the command line. */
import { isObject } from '@sigil-mcp/base';
import { describeConstraints, describeType } from '../arguments/describe-type';
import { SchemaView } from '../arguments/json-schema';
import { readValue } from '../arguments/read-value';

/** The value of a field. */
export type FieldValue = string | number | boolean | string[];

/** One of several values, with its label. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A field of a form. */
export interface ShownField {
  readonly name: string;
  readonly title: string;
  readonly description: string | undefined;
  /** `value` is any other type, written as on the command line. */
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'one' | 'many' | 'value';
  readonly choices: readonly Choice[];
  readonly required: boolean;
  readonly default: FieldValue | undefined;
  /** The constraints on a value, as text. */
  readonly constraints: readonly string[];
  readonly view: SchemaView;
}

/** The fields of a form, in the server's order. */
export function readForm(schema: unknown): ShownField[] {
  const form = SchemaView.of(schema);
  return [...form.properties].map(([name, view]) => fieldOf(name, view, form.required.includes(name)));
}

/** The field for a property. */
export function fieldOf(name: string, view: SchemaView, required: boolean): ShownField {
  const fallback = view.resolved.schema['default'];
  return {
    name,
    title: view.text('title') ?? name,
    description: view.text('description'),
    kind: kindOf(view),
    choices: choicesOf(view.types.includes('array') ? view.items : view),
    required,
    default: isFieldValue(fallback) ? fallback : undefined,
    constraints: describeConstraints(view),
    view,
  };
}

/** The answers from the command line for a form. */
export interface GivenAnswers {
  readonly content: Record<string, FieldValue>;
  /** Required fields without an answer or a default. */
  readonly missing: readonly string[];
  /** Whether the form uses any of the answers. */
  readonly used: boolean;
}

/**
 * Selects the answers for a form.
 * @throws CliFailure if one cannot be read as the field's type
 */
export function answerForm(
  fields: readonly ShownField[],
  answers: Readonly<Record<string, readonly string[]>>,
): GivenAnswers {
  const content: Record<string, FieldValue> = {};
  for (const field of fields) {
    const texts = answers[field.name];
    const value = texts === undefined ? undefined : readAnswer(field, texts);
    if (value !== undefined) content[field.name] = value;
  }
  const used = Object.keys(content).length > 0;
  const open = fields.filter(({ name, required }) => required && !(name in content));
  const missing = open.filter((field) => field.default === undefined).map(({ name }) => name);
  if (used) for (const field of open) if (field.default !== undefined) content[field.name] = field.default;
  return { content, missing, used };
}

/** The problem with an input for a field, if there is one. */
export function problemWith(field: ShownField, text: string): string | undefined {
  if (text === '') return field.required ? 'This field is required.' : undefined;
  if (field.kind === 'value') return isReadable(field, text) ? undefined : wantedBy(field, [describeType(field.view)]);
  const type = field.kind === 'text' ? [] : [describeType(field.view)];
  const length = [...text].length;
  const value = field.kind === 'text' ? length : Number(text);
  const [least, most] = field.kind === 'text' ? ['minLength', 'maxLength'] : ['minimum', 'maximum'];
  const wrong =
    (field.kind !== 'text' && (text.trim() === '' || !Number.isFinite(value))) ||
    (field.kind === 'integer' && !Number.isInteger(value)) ||
    value < (field.view.number(least ?? '') ?? -Infinity) ||
    value > (field.view.number(most ?? '') ?? Infinity) ||
    (field.view.text('format') === 'email' && !/^[^\s@]+@[^\s@]+$/.test(text)) ||
    (field.view.text('format') === 'uri' && !URL.canParse(text));
  return wrong ? wantedBy(field, type) : undefined;
}

function wantedBy({ constraints }: ShownField, type: readonly string[]): string {
  return `It must be: ${[...type, ...constraints].join(', ')}.`;
}

function isReadable({ name, view }: ShownField, text: string): boolean {
  try {
    readValue(name, [text], view);
    return true;
  } catch {
    return false;
  }
}

function readAnswer(field: ShownField, texts: readonly string[]): FieldValue | undefined {
  const { choices, name, view } = field;
  // Choices with titles are constants in alternatives of the schema.
  const value = choices.length > 0 && field.kind === 'one' ? readChoice(field, texts) : readValue(name, texts, view);
  return isFieldValue(value) ? value : undefined;
}

function readChoice({ choices, name, view }: ShownField, texts: readonly string[]): unknown {
  const titled = choices.find(({ label, value }) => label === texts[0] && value !== texts[0]);
  return readValue(name, titled ? [titled.value] : texts, view);
}

function kindOf(view: SchemaView): ShownField['kind'] {
  if (view.types.includes('array')) return 'many';
  if (choicesOf(view).length > 0) return 'one';
  const [type] = view.types;
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text';
}

function choicesOf(view: SchemaView): Choice[] {
  const { schema } = view.resolved;
  const titled = view.alternatives.map((one) => {
    const value = String(one.resolved.schema['const']);
    return { value, label: one.text('title') ?? value };
  });
  if (titled.length > 0) return titled;
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as unknown[]) : [];
  const values = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : [];
  return values.map((value, index) => ({ value: String(value), label: String(names[index] ?? value) }));
}

function isFieldValue(value: unknown): value is FieldValue {
  if (Array.isArray(value)) return value.every((one) => typeof one === 'string');
  return !isObject(value) && ['string', 'number', 'boolean'].includes(typeof value);
}
