/** From the text of an argument to a value of the schema. */
import { wrongUsage, type CliFailure } from '../failure';
import { describeConstraints, describeType } from './describe-type';
import { typeName, type SchemaView } from './json-schema';
import { nearestNames } from '@sigil-mcp/base';

/** Marks a text that cannot be read as a value of the schema. */
const UNREADABLE = Symbol('unreadable');

/**
 * Reads an argument that was given once or several times.
 * @param name for the error message
 * @throws CliFailure that names the argument and its type
 */
export function readValue(name: string, texts: readonly string[], view: SchemaView): unknown {
  const [first = '', ...more] = texts;
  const isList = view.types.includes('array') || view.alternatives.some((one) => one.types.includes('array'));
  if (more.length > 0) {
    if (isList) return readItems(name, texts, view);
    throw wrongUsage('SIGIL_CLI_ARGUMENT_TWICE', { name, count: texts.length });
  }
  const value = readText(first, view);
  if (value !== UNREADABLE) return value;
  // A single item of an array may be written without brackets.
  if (isList && !first.trim().startsWith('[')) return readItems(name, texts, view);
  throw unreadable(name, first, view);
}

function readItems(name: string, texts: readonly string[], view: SchemaView): unknown[] {
  const list = view.types.includes('array') ? view : view.alternatives.find((one) => one.types.includes('array'));
  return texts.map((text) => readValue(name, [text], (list ?? view).items));
}

function readText(text: string, view: SchemaView): unknown {
  const { choices, alternatives, types } = view;
  if (choices !== undefined) {
    const found = choices.find((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice)) === text);
    return found === undefined ? UNREADABLE : found;
  }
  if (types.length > 0)
    return firstReadable(PRECEDENCE.filter((type) => types.includes(type)).map((type) => readAs(type, text)));
  if (alternatives.length > 0) return readAlternative(text, alternatives);
  const json = readJson(text);
  return json === UNREADABLE ? text : json;
}

/** The types in the order in which they are tried: strings come last, because they match any text. */
const PRECEDENCE = ['null', 'boolean', 'integer', 'number', 'array', 'object', 'string'];

function readAlternative(text: string, alternatives: readonly SchemaView[]): unknown {
  const isText = (view: SchemaView): boolean => view.choices === undefined && view.types.includes('string');
  const ordered = [...alternatives].sort((a, b) => Number(isText(a)) - Number(isText(b)));
  return firstReadable(ordered.map((one) => readText(text, one)));
}

function firstReadable(values: readonly unknown[]): unknown {
  const found = values.findIndex((value) => value !== UNREADABLE);
  return found === -1 ? UNREADABLE : values[found];
}

function readAs(type: string, text: string): unknown {
  if (type === 'string') return text;
  if (type === 'number' || type === 'integer') return readNumber(text, type === 'integer');
  const value = readJson(text);
  return value !== UNREADABLE && typeName(value) === type ? value : UNREADABLE;
}

function readNumber(text: string, whole: boolean): unknown {
  const value = Number(text);
  const isNumber = text.trim() !== '' && Number.isFinite(value) && (!whole || Number.isInteger(value));
  return isNumber ? value : UNREADABLE;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}

function unreadable(name: string, text: string, view: SchemaView): CliFailure {
  const type = describeType(view);
  const constraints = describeConstraints(view);
  const names = (view.choices ?? []).filter((choice) => typeof choice === 'string');
  const near = nearestNames(text, names);
  if (near.length > 0) {
    const choices = (view.choices ?? []).map(String).join(', ');
    return wrongUsage('SIGIL_CLI_ARGUMENT_CHOICE', { name, text, near: near.join(' or '), choices });
  }
  const wanted = [type, ...constraints].join(', ');
  return wrongUsage('SIGIL_CLI_ARGUMENT_TYPE', { name, text, type, wanted });
}
