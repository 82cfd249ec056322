/** From the words after a tool's name to its arguments, typed by the schema that the server lists. */
import { readFileSync } from 'node:fs';
import { isObject } from '@sigil-mcp/base';
import { reasonOf, wrongUsage } from '../failure';
import { describeType } from './describe-type';
import type { SchemaView } from './json-schema';
import { suggest } from './find-unsaid';
import { readValue } from './read-value';

type Arguments = Record<string, unknown>;

/** A property of the arguments: the path of names to it, and its schema. */
interface ArgumentProperty {
  readonly steps: readonly string[];
  readonly view: SchemaView;
}

/** A property with its values from the command line. */
interface GivenProperty extends ArgumentProperty {
  readonly texts: string[];
}

/**
 * Reads arguments: `key=value`, `a.b=value` for nested properties, `key=@file` for the contents of a file, one key several times for
 * an array, and `{...}` for all of them as JSON. Whether all required ones are there is another question: `requireAll`.
 * @param of the entry that takes the arguments, for error messages: `The tool forecast`
 * @throws CliFailure for an argument that is unknown, or cannot be read as its type
 */
export function readArguments(words: readonly string[], view: SchemaView, of: string): Arguments {
  const result: Arguments = {};
  const given = new Map<string, GivenProperty>();
  for (const word of words) {
    if (word.trimStart().startsWith('{')) Object.assign(result, readWhole(word));
    else {
      const { name, text } = splitWord(word, view, of);
      const property = given.get(name) ?? { ...findProperty(name, view, of), texts: [] };
      property.texts.push(text);
      given.set(name, property);
    }
  }
  for (const [name, { steps, view: own, texts }] of given) put(result, steps, readValue(name, texts, own));
  for (const name of Object.keys(result)) if (!view.properties.has(name) && !view.isOpen) throw unknown(name, view, of);
  return result;
}

/** `city=Oslo` -> its name, and its text or the contents of the file. */
function splitWord(word: string, view: SchemaView, of: string): { readonly name: string; readonly text: string } {
  const at = word.indexOf('=');
  if (at < 1) {
    throw wrongUsage('SIGIL_CLI_ARGUMENT', { word, known: listed(view, of) });
  }
  const name = word.slice(0, at);
  return { name, text: readText(name, word.slice(at + 1)) };
}

function findProperty(name: string, view: SchemaView, of: string): ArgumentProperty {
  const own = view.properties.get(name);
  if (own) return { steps: [name], view: own };
  const [first = name, ...rest] = name.split('.');
  const nested = view.properties.get(first);
  if (nested && rest.length > 0) {
    const inner = findProperty(rest.join('.'), objectIn(nested), `"${first}"`);
    return { steps: [first, ...inner.steps], view: inner.view };
  }
  if (!view.isOpen) throw unknown(name, view, of);
  // The schema does not describe it: numbers, booleans and JSON are read as such.
  return { steps: view.properties.size > 0 ? [name] : [first, ...rest], view: view.items };
}

/** The alternative of a schema that has properties, or the schema itself. */
function objectIn(view: SchemaView): SchemaView {
  return view.alternatives.find(({ properties }) => properties.size > 0) ?? view;
}

function readText(name: string, text: string): string {
  if (text.startsWith('@@')) return text.slice(1);
  if (!text.startsWith('@')) return text;
  try {
    return readFileSync(text.slice(1), 'utf8');
  } catch {
    throw wrongUsage('SIGIL_CLI_ARGUMENT_FILE', { path: text.slice(1), name, text });
  }
}

function readWhole(word: string): Arguments {
  let value: unknown;
  try {
    value = JSON.parse(word);
  } catch (error) {
    throw wrongUsage('SIGIL_CLI_ARGUMENTS_JSON', { reason: reasonOf(error) });
  }
  return isObject(value) ? { ...value } : {};
}

function put(into: Arguments, steps: readonly string[], value: unknown): void {
  const [step = '', ...rest] = steps;
  if (rest.length === 0) {
    define(into, step, value);
    return;
  }
  const present = Object.hasOwn(into, step) ? into[step] : undefined;
  const inner: Arguments = isObject(present) ? { ...present } : {};
  put(inner, rest, value);
  define(into, step, inner);
}

/** Sets an own property, also for a key such as `__proto__`. */
function define(into: Arguments, key: string, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The required arguments that are missing, by name; not those within a given object. */
export function findMissing(given: Readonly<Arguments>, view: SchemaView): string[] {
  return view.required.filter((name) => !Object.hasOwn(given, name));
}

/** @throws CliFailure if a required argument is missing */
export function requireAll(given: Arguments, view: SchemaView, of: string): void {
  const missing = findMissing(given, view);
  if (missing.length > 0) {
    const wanted = missing.map((name) => `${name}=<${describeType(view.properties.get(name) ?? view.items)}>`);
    const names = missing.map((name) => `"${name}"`).join(' and ');
    throw wrongUsage('SIGIL_CLI_ARGUMENT_MISSING', { of, names, wanted: wanted.join(' ') });
  }
  for (const [name, inner] of view.properties) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (isObject(value)) requireAll(value, inner, `"${name}"`);
  }
}

function unknown(name: string, view: SchemaView, of: string): Error {
  const names = [...view.properties.keys()];
  const suggestion = names.length === 0 ? `${of} takes no arguments.` : suggest(name, names);
  return wrongUsage('SIGIL_CLI_ARGUMENT_UNKNOWN', { of, name, suggestion });
}

function listed(view: SchemaView, of: string): string {
  const names = [...view.properties.keys()];
  return names.length === 0 ? `${of} takes none.` : `${of} takes: ${names.join(', ')}.`;
}
