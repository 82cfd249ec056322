/** Changes of YAML text by whole members, which leave all other lines as they are. */
import { isMap, isNode, isPair, isScalar, isSeq, parseDocument, stringify, type Document, type Node } from 'yaml';
import type { ParsedSettings } from './parsed-settings';

/** Parses a file. */
export function parseYamlSettings(text: string): ParsedSettings {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) {
    const [reason = ''] = error.message.split(/ at line \d+|\n/);
    return { problem: { line: error.linePos?.[0].line ?? 1, reason } };
  }
  return { value: (document.toJS() as unknown) ?? {} };
}

/** Where a server is in a file. */
export interface YamlPlace {
  readonly container: string;
  /** The key, or the `name` of an element of a list. */
  readonly name: string;
  readonly isList: boolean;
}

/** Writes a server, instead of the one that is there, or after the last one. */
export function setInYaml(text: string, place: YamlPlace, entry: unknown): string {
  const document = parseDocument(text);
  const found = findItems(document, place.container);
  if (!found) return setInDocument(document, place, entry);
  const { items, collection } = found;
  const member = place.isList ? [entry] : { [place.name]: entry };
  if (items.length === 0) {
    if (collection) return setInDocument(document, place, entry);
    const above = text.trimEnd();
    return `${above}${above === '' ? '' : '\n'}${yamlOf({ [place.container]: member })}`;
  }
  const indent = ' '.repeat(columnOf(text, items[0]?.start ?? 0));
  const lines = yamlOf(member).replace(/^(?=.)/gm, indent);
  const at = items.find(({ name }) => name === place.name);
  if (at) return text.slice(0, lineStart(text, at.start)) + lines + text.slice(endOfLine(text, at.end));
  const last = endOfLine(text, items.at(-1)?.end ?? text.length);
  return `${ended(text.slice(0, last))}${lines}${text.slice(last)}`;
}

/** Removes a server. */
export function removeFromYaml(text: string, place: YamlPlace): string {
  const document = parseDocument(text);
  const found = findItems(document, place.container);
  const item = found?.items.find(({ name }) => name === place.name);
  if (item && found && found.items.length > 1)
    return text.slice(0, lineStart(text, item.start)) + text.slice(endOfLine(text, item.end));
  const key = place.isList ? positionIn(document, place) : place.name;
  document.deleteIn([place.container, key]);
  return document.toString({ lineWidth: 0 });
}

interface Item {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** The servers in a collection in block style; undefined for a collection in braces, whose lines cannot be changed. */
function findItems(
  document: Document,
  container: string,
): { readonly items: readonly Item[]; readonly collection?: Node } | undefined {
  const collection = document.get(container, true);
  if (!isNode(collection)) return { items: [] };
  if (isScalar(collection) && collection.value === null) return { items: [], collection };
  if (!(isMap(collection) || isSeq(collection)) || collection.flow === true) return undefined;
  const items = collection.items.map((item) => {
    const key = isPair(item) ? item.key : item;
    const value = isPair(item) ? (item.value ?? item.key) : item;
    const name = isPair(item) ? (isScalar(item.key) ? item.key.value : undefined) : isMap(item) ? item.get('name') : '';
    const [start = 0] = (isNode(key) && key.range) || [];
    const [, end = 0] = (isNode(value) && value.range) || [];
    return { name: String(name), start, end };
  });
  return { items, collection };
}

/** Writes the whole document again, which keeps its comments. */
function setInDocument(document: Document, place: YamlPlace, entry: unknown): string {
  const { container, name, isList } = place;
  const key = isList ? positionIn(document, place) : name;
  if ((document.get(container) ?? undefined) === undefined)
    document.set(container, document.createNode(isList ? [] : {}));
  document.setIn([container, key], document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}

/** The position of a server in a list, or that after the last one. */
function positionIn(document: Document, { container, name }: YamlPlace): number {
  const list = document.get(container, true);
  if (!isSeq(list)) return 0;
  const found = list.items.findIndex((item) => isMap(item) && item.get('name') === name);
  return found === -1 ? list.items.length : found;
}

function yamlOf(value: unknown): string {
  return stringify(value, { lineWidth: 0 });
}

/** The column of an item: that of its key, or of the dash before an element. */
function columnOf(text: string, at: number): number {
  const line = text.slice(lineStart(text, at), at);
  return /^ *(?=- )/.exec(line)?.[0].length ?? line.length;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** The beginning of the line after a position; a position at the beginning of a line is not moved. */
function endOfLine(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
