/** The parameters of an operation: its own, those of its path, and those that only the path names. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import type { Pointers } from '../document/pointers';
import type { Note, Parameter, ParameterPlace, Style } from './operation';
import { kindOf } from './read-body';

/** The style of each place, if a document names none. */
const DEFAULT_STYLES: Readonly<Record<ParameterPlace, Style>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};
const STYLES: Readonly<Record<ParameterPlace, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};
/** Headers that the client sets itself. @see https://spec.openapis.org/oas/v3.1.0#parameter-object */
const OWN_HEADERS = ['accept', 'authorization', 'content-type', 'content-length', 'host', 'connection', 'cookie'];
/** Headers that a client cannot send, and names that no header can have. */
const UNSENDABLE = /^(?:transfer-encoding|expect|upgrade|keep-alive|te|trailer)$|[^!#$%&'*+.^_`|~0-9A-Za-z-]|^$/i;

/** Where the parameters of an operation are found. */
export interface GivenParameters {
  readonly key: string;
  readonly path: string;
  /** Of the path first: those of the operation replace them. */
  readonly lists: readonly unknown[];
}

/** Reads them, in the order of the path and then of the document. */
export function readParameters({ key, path, lists }: GivenParameters, pointers: Pointers, note: Note): Parameter[] {
  const read = new Map<string, Parameter>();
  for (const entry of lists.flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []))) {
    const found = pointers.follow(entry);
    const parameter = found && readParameter(found.value, (text) => note(key, text));
    if (!found) note(key, `a parameter leads nowhere (${referenceOf(entry)}): it is left out`);
    if (parameter) read.set(keyOf(parameter), parameter);
  }
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const inPath = [...new Set(names)].map((name) => read.get(`path ${name}`) ?? undeclared(name, key, note));
  for (const { name, place } of read.values())
    if (place === 'path' && !names.includes(name)) note(key, `the path has no {${name}}: the parameter is left out`);
  return [...inPath, ...[...read.values()].filter(({ place }) => place !== 'path')];
}

/** What is the same parameter: the case of a header means nothing. */
function keyOf({ place, name }: Parameter): string {
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}

/** The reference in a value, for messages. */
export function referenceOf(value: unknown): string {
  return isObject(value) && typeof value['$ref'] === 'string' ? value['$ref'].slice(0, 200) : 'it is no object';
}

function readParameter(given: LooseObject, note: (text: string) => void): Parameter | undefined {
  const { name, in: place, required, description, content } = given;
  if (typeof name !== 'string' || !isPlace(place)) {
    note('a parameter has no name or no known place: it is left out');
    return undefined;
  }
  if (given['deprecated'] === true && required !== true && place !== 'path') {
    note(`${name} is deprecated, and nobody has to send it: it is left out`);
    return undefined;
  }
  if (place === 'header' && OWN_HEADERS.includes(name.toLowerCase())) return undefined;
  if (place === 'header' && UNSENDABLE.test(name)) {
    note(`no client can send the header ${JSON.stringify(name)}: it is left out`);
    return undefined;
  }
  if (given['allowReserved'] === true) note(`${name} may have reserved characters, which the client encodes`);
  const isRequired = place === 'path' || required === true;
  const rest = { name, place, required: isRequired, description: typeof description === 'string' ? description : '' };
  const [[mediaType, media] = ['', undefined]] = isObject(content) ? Object.entries(content) : [];
  if (isObject(media)) return { ...rest, schema: media['schema'], ...contentStyle({ name, place, mediaType }, note) };
  const style = styleOf(given, place, note);
  const { explode } = given;
  return {
    ...rest,
    schema: given['schema'],
    style,
    explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject',
  };
}

interface ContentParameter {
  readonly name: string;
  readonly place: ParameterPlace;
  readonly mediaType: string;
}

function contentStyle(
  { name, place, mediaType }: ContentParameter,
  note: (text: string) => void,
): Pick<Parameter, 'style' | 'explode'> {
  if (kindOf(mediaType) === 'json') return { style: 'json', explode: false };
  if (!mediaType.startsWith('text/'))
    note(`${name} is written as ${mediaType}, which nobody checks: the model has to write it`);
  return { style: DEFAULT_STYLES[place], explode: true };
}

function styleOf({ name, style }: LooseObject, place: ParameterPlace, note: (text: string) => void): Style {
  const known = STYLES[place].find((each) => each === style);
  if (style !== undefined && known === undefined)
    note(`the style of ${String(name)} is not one of a ${place}: it is written as ${DEFAULT_STYLES[place]}`);
  return known ?? DEFAULT_STYLES[place];
}

function undeclared(name: string, key: string, note: Note): Parameter {
  note(key, `the document does not declare {${name}}: it is taken for a text`);
  const schema = { type: 'string' };
  return { name, place: 'path', required: true, description: '', schema, style: 'simple', explode: false };
}

function isPlace(place: unknown): place is ParameterPlace {
  return place === 'path' || place === 'query' || place === 'header' || place === 'cookie';
}
