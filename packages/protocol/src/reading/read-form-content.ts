/** Reads the content of a form that older clients could only be shown in other words. */
import type { JsonObject, JsonValue } from '../jsonrpc/message';
import type { FormField, FormSchema } from '../model/server-requests';
import type { WireRules } from '../rules/wire-rules';

/** The content of an answer, as if the form had been shown in the newest words. */
export type FormContentReader = (form: FormSchema, content: JsonObject) => JsonObject;

/** Compiles the reader; where a client knows every kind of field there is nothing to translate. */
export function formContentReader({ formFields }: WireRules): FormContentReader {
  return formFields === 'rich' ? (_form, content) => content : readPlainContent;
}

/** Several choices came as one text. */
function readPlainContent({ properties, required }: FormSchema, content: JsonObject): JsonObject {
  const given = Object.entries(content).filter(
    ([name, value]) => !(isBlankChoice(properties[name], value) && required?.includes(name) !== true),
  );
  return Object.fromEntries(given.map(([name, value]) => [name, readPlain(properties[name], value)]));
}

/** If no choice is required, a text that was left blank means that no choice was made. */
function isBlankChoice(field: FormField | undefined, value: JsonValue | undefined): boolean {
  return field?.type === 'array' && typeof value === 'string' && value.trim() === '';
}

function readPlain(field: FormField | undefined, value: JsonValue | undefined): JsonValue | undefined {
  if (field?.type !== 'array' || typeof value !== 'string') return value;
  const { items } = field;
  return readChoices(value, 'enum' in items ? items.enum : items.anyOf.map(({ const: choice }) => choice));
}

/** Choices are separated by commas, but a choice may contain commas itself: the longest known choice is tried first. */
function readChoices(text: string, known: readonly string[]): string[] {
  const parts = text.split(',');
  const read: string[] = [];
  const choices: Choices = {
    known: new Set(known),
    most: Math.max(1, ...known.map((choice) => choice.split(',').length)),
  };
  for (let begin = 0; begin < parts.length;) {
    const taken = longestChoice(parts, begin, choices);
    const choice = parts
      .slice(begin, begin + taken)
      .join(',')
      .trim();
    if (choice !== '') read.push(choice);
    begin += taken;
  }
  return read;
}

/** The choices of a field. */
interface Choices {
  readonly known: ReadonlySet<string>;
  /** The most parts that one of them has. */
  readonly most: number;
}

/** How many parts the longest known choice has that begins here; one if none is known. */
function longestChoice(parts: readonly string[], begin: number, { known, most }: Choices): number {
  for (let count = Math.min(most, parts.length - begin); count > 1; count -= 1) {
    const text = parts.slice(begin, begin + count).join(',');
    if (known.has(text.trim())) return count;
  }
  return 1;
}
