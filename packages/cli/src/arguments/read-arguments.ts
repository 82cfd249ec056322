/** From the words after a tool's name to its arguments, typed by the schema that the server lists. */
import { readFileSync } from 'node:fs';
import { wrongUsage } from '../failure';
import { describeType } from './describe-type';
import { isRecord, type SchemaView } from './json-schema';
import { suggest } from './nearest-names';
import { readValue } from './read-value';

type Arguments = Record<string, unknown>;

/** Where an argument goes, and by what it is typed. */
interface Place {
  readonly steps: readonly string[];
  readonly view: SchemaView;
  readonly texts: string[];
}

/**
 * Reads arguments: `key=value`, `a.b=value` for what is nested, `key=@file` for what a file holds, one key several times for an
 * array, and `{...}` for all of them as JSON.
 * @param of what they are arguments of, for failures: `The tool forecast`
 * @throws CliFailure for what is unknown, missing, or cannot be read as its type
 */
export function readArguments(words: readonly string[], view: SchemaView, of: string): Arguments {
  const result: Arguments = {};
  const places = new Map<string, Place>();
  for (const word of words) {
    if (word.trimStart().startsWith('{')) Object.assign(result, readWhole(word));
    else gather(word, { view, of, places });
  }
  for (const [name, { steps, view: at, texts }] of places) put(result, steps, readValue(name, texts, at));
  for (const name of Object.keys(result)) if (!view.properties.has(name) && !view.isOpen) throw unknown(name, view, of);
  requireAll(result, view, of);
  return result;
}

interface Gathering {
  readonly view: SchemaView;
  readonly of: string;
  readonly places: Map<string, Place>;
}

function gather(word: string, { view, of, places }: Gathering): void {
  const at = word.indexOf('=');
  if (at < 1) {
    throw wrongUsage(`"${word}" is no argument.`, `Write arguments as name=value. ${listed(view, of)}`);
  }
  const name = word.slice(0, at);
  const place = places.get(name) ?? { ...findPlace(name, view, of), texts: [] };
  place.texts.push(readText(name, word.slice(at + 1)));
  places.set(name, place);
}

function findPlace(name: string, view: SchemaView, of: string): Pick<Place, 'steps' | 'view'> {
  const own = view.properties.get(name);
  if (own) return { steps: [name], view: own };
  const [first = name, ...rest] = name.split('.');
  const nested = view.properties.get(first);
  if (nested && rest.length > 0) {
    const inner = findPlace(rest.join('.'), objectIn(nested), `"${first}"`);
    return { steps: [first, ...inner.steps], view: inner.view };
  }
  if (!view.isOpen) throw unknown(name, view, of);
  // Nothing is known about it: numbers, booleans and JSON are read as such.
  return { steps: view.properties.size > 0 ? [name] : [first, ...rest], view: view.items };
}

/** Of several alternatives the one that holds something by name. */
function objectIn(view: SchemaView): SchemaView {
  return view.alternatives.find(({ properties }) => properties.size > 0) ?? view;
}

function readText(name: string, text: string): string {
  if (text.startsWith('@@')) return text.slice(1);
  if (!text.startsWith('@')) return text;
  try {
    return readFileSync(text.slice(1), 'utf8');
  } catch {
    const mend = `Check the path. If "${text}" is meant as it stands, write ${name}=@${text}.`;
    throw wrongUsage(`The file "${text.slice(1)}" for "${name}" cannot be read.`, mend);
  }
}

function readWhole(word: string): Arguments {
  let value: unknown;
  try {
    value = JSON.parse(word);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw wrongUsage(`The arguments are not JSON: ${reason}.`, 'Write all of them as one object, in single quotes.');
  }
  return isRecord(value) ? { ...value } : {};
}

function put(into: Arguments, steps: readonly string[], value: unknown): void {
  const [step = '', ...rest] = steps;
  if (rest.length === 0) {
    define(into, step, value);
    return;
  }
  const present = Object.hasOwn(into, step) ? into[step] : undefined;
  const inner: Arguments = isRecord(present) ? { ...present } : {};
  put(inner, rest, value);
  define(into, step, inner);
}

/** Also for a key such as `__proto__`. */
function define(into: Arguments, key: string, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
}

function requireAll(given: Arguments, view: SchemaView, of: string): void {
  const missing = view.required.filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) {
    const wanted = missing.map((name) => `${name}=<${describeType(view.properties.get(name) ?? view.items)}>`);
    const message = `${of} needs ${missing.map((name) => `"${name}"`).join(' and ')}.`;
    throw wrongUsage(message, `Add ${wanted.join(' ')}.`);
  }
  for (const [name, inner] of view.properties) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (isRecord(value)) requireAll(value, inner, `"${name}"`);
  }
}

function unknown(name: string, view: SchemaView, of: string): Error {
  const names = [...view.properties.keys()];
  const mend = names.length === 0 ? `${of} takes no arguments.` : suggest(name, names);
  return wrongUsage(`${of} has no argument "${name}".`, mend);
}

function listed(view: SchemaView, of: string): string {
  const names = [...view.properties.keys()];
  return names.length === 0 ? `${of} takes none.` : `${of} takes: ${names.join(', ')}.`;
}
