/** The required arguments of a tool or a prompt that the user has not given, as a form at the terminal. */
import type { SchemaView } from '../arguments/json-schema';
import { findMissing, readArguments, requireAll } from '../arguments/read-arguments';
import { readValue } from '../arguments/read-value';
import { fieldOf, type FieldValue, type ShownField } from './form';

/** Asks the user for each field. @returns the values; undefined if the user does not answer */
export type AskFields = (fields: readonly ShownField[]) => Promise<Readonly<Record<string, FieldValue>> | undefined>;

/**
 * Reads arguments, and asks for required ones that are missing.
 * @param of the entry that takes the arguments, for error messages: `The tool forecast`
 * @param ask undefined without a terminal
 * @throws CliFailure for an argument that is unknown or missing, or cannot be read as its type
 */
export async function readOrAsk(
  words: readonly string[],
  { view, of, ask }: { readonly view: SchemaView; readonly of: string; readonly ask: AskFields | undefined },
): Promise<Record<string, unknown>> {
  const given = readArguments(words, view, of);
  const missing = findMissing(given, view);
  const answers = missing.length > 0 ? await ask?.(missing.map((name) => argumentField(name, view))) : undefined;
  const all = { ...given, ...(answers && readAnswers(answers, view)) };
  requireAll(all, view, of);
  return all;
}

function readAnswers(answers: Readonly<Record<string, FieldValue>>, { properties, items }: SchemaView): object {
  const read = Object.entries(answers).map(([name, value]) => [
    name,
    typeof value === 'string' ? readValue(name, [value], properties.get(name) ?? items) : value,
  ]);
  return Object.fromEntries(read) as object;
}

/** The field for an argument. What a form has no field for is written as on the command line. */
function argumentField(name: string, { properties, items }: SchemaView): ShownField {
  const view = properties.get(name) ?? items;
  const field = fieldOf(name, view, true);
  const { choices, types } = view;
  if (choices !== undefined) return { ...field, kind: 'one', choices: choices.map(choiceOf) };
  const [type, ...others] = types;
  const isSimple = others.length === 0 && view.alternatives.length === 0;
  const kind = isSimple ? SIMPLE_KINDS.find((one) => one === type) : undefined;
  return { ...field, kind: kind ?? (isSimple && type === 'string' ? 'text' : 'value'), choices: [] };
}

const SIMPLE_KINDS = ['number', 'integer', 'boolean'] as const;

function choiceOf(choice: unknown): { value: string; label: string } {
  const text = typeof choice === 'string' ? choice : JSON.stringify(choice);
  return { value: text, label: text };
}
