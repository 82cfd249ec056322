/** Changes of YAML text by single members, which leave every other character as it is. */
import {
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
  type Node,
  type YAMLSeq,
} from 'yaml';
import { cutMember, eolOf, insert, lineStart, nested, type ParsedSettings, type Span } from './settings-text';

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

/** Sets a member; the elements of a list are found by their `name`. */
export function setInYaml(text: string, path: readonly string[], value: unknown): string {
  const rest = (from: number): unknown => nested(path.slice(from), value);
  let holder: Item | undefined;
  let node = contentsOf(text);
  for (const [index, part] of path.entries()) {
    const item = itemsOf(node).find(({ name }) => name === part);
    if (!item) return add(text, { node, holder }, rest(index));
    [holder, node] = [item, item.value];
    if (index < path.length - 1 && !isCollection(node) && !isNothing(node)) return replace(text, item, rest(index + 1));
  }
  return holder ? replace(text, holder, value) : text;
}

/** Removes a member. A collection that is empty then is written in braces, as `name:` alone would be null. */
export function removeFromYaml(text: string, path: readonly string[]): string {
  let holder: Item | undefined;
  let node = contentsOf(text);
  for (const part of path.slice(0, -1)) {
    holder = itemsOf(node).find(({ name }) => name === part);
    node = holder?.value;
  }
  const items = itemsOf(node);
  const index = items.findIndex(({ name }) => name === path.at(-1));
  const item = items[index];
  if (!item || !isCollection(node)) return text;
  if (node.flow === true) {
    return cutMember(text, { member: item, before: items[index - 1], isLast: index === items.length - 1 });
  }
  if (items.length > 1) return cutLines(text, item, items[index + 1]);
  const colon = holder ? text.indexOf(':', holder.keyEnd) + 1 : 0;
  const rest = cutLines(text, item, undefined);
  return `${rest.slice(0, colon)}${isSeq(node) ? ' []' : ' {}'}${rest.slice(colon)}`;
}

/** A member of a map, or an element of a list. */
interface Item extends Span {
  readonly name: string;
  readonly keyEnd: number;
  readonly value: Node | undefined;
}

function contentsOf(text: string): Node | undefined {
  return parseDocument(text, { keepSourceTokens: true }).contents ?? undefined;
}

function itemsOf(node: Node | undefined): readonly Item[] {
  if (isMap(node))
    return node.items.flatMap((pair): Item[] => {
      if (!isPair(pair) || !isScalar(pair.key)) return [];
      const value = isNode(pair.value) ? pair.value : undefined;
      const [from = 0, keyEnd = 0] = pair.key.range ?? [];
      return [{ name: String(pair.key.value), from, keyEnd, to: value?.range?.[1] ?? keyEnd, value }];
    });
  if (!isSeq(node)) return [];
  const dashes = dashesOf(node);
  return node.items.filter(isNode).map((value, index) => {
    const [start = 0, to = 0] = value.range ?? [];
    const from = dashes[index] ?? start;
    const name: unknown = isMap(value) ? value.get('name') : undefined;
    return { name: typeof name === 'string' ? name : '', from, keyEnd: from, to, value };
  });
}

/** Where the elements of a list begin, which may be lines above their values; none in brackets. */
function dashesOf({ srcToken }: YAMLSeq): number[] {
  if (srcToken?.type !== 'block-seq') return [];
  return srcToken.items.flatMap(({ start }) =>
    start.filter(({ type }) => type === 'seq-item-ind').map(({ offset }) => offset),
  );
}

/** Where members are added: a collection, and the member that holds it; neither in an empty file. */
interface InsertionPoint {
  readonly node: Node | undefined;
  readonly holder: Item | undefined;
}

function add(text: string, { node, holder }: InsertionPoint, members: unknown): string {
  const { eol } = layoutOf(text);
  const items = itemsOf(node);
  const last = items.at(-1);
  if (isCollection(node) && node.flow === true && (last || !holder)) return addInBraces(text, node, last, members);
  if (last) {
    const indent = columnOf(text, items[0] ?? last);
    const at = endOfLine(text, last.to);
    return `${ended(text.slice(0, at), eol)}${linesOf(text, members, indent)}${text.slice(at)}`;
  }
  if (!holder) return `${ended(text, eol)}${linesOf(text, members, 0)}`;
  // `servers: {} # why`, `servers: null`, or `servers:`
  const colon = text.indexOf(':', holder.keyEnd) + 1;
  const [from = 0, to = 0] = node?.range ?? [];
  const rest = text.slice(to > from ? to : colon);
  const end = endOfLine(rest, 0);
  const lines = linesOf(text, members, columnOf(text, holder) + layoutOf(text).step);
  return `${ended(text.slice(0, colon) + rest.slice(0, end), eol)}${lines}${rest.slice(end)}`;
}

function addInBraces(text: string, node: Node, last: Item | undefined, members: unknown): string {
  const inside = flowOf(members).slice(1, -1).trim();
  const [start = 0] = node.range ?? [];
  if (!last) return `${text.slice(0, start + 1)} ${inside} ${text.slice(start + 1).trimStart()}`;
  return insert(text, last.to, `, ${inside}`);
}

function replace(text: string, item: Item, value: unknown): string {
  const { value: node, from: start } = item;
  const inFlow = isCollection(node) ? node.flow === true : isScalar(node) && isOneLine(text, node);
  const [from = 0, to = 0] = node?.range ?? [];
  // As in a list, where more has to be in quotes.
  const short = flowOf([value]).slice(1, -1).trim();
  if (inFlow && to > from && !short.includes('\n')) return text.slice(0, from) + short + text.slice(to);
  const indent = columnOf(text, item);
  const lines = linesOf(text, { [item.name]: value }, indent).slice(indent);
  const at = endOfLine(text, item.to);
  return text.slice(0, start) + lines + text.slice(at);
}

/** Whether a name has no value, as in `servers:`. */
function isNothing(node: Node | undefined): boolean {
  return node === undefined || (isScalar(node) && node.value === null);
}

function isOneLine(text: string, { range }: Node): boolean {
  return range ? !text.slice(range[0], range[1]).includes('\n') : false;
}

/** Cuts the lines of a member; the dash before it stays for the next one. */
function cutLines(text: string, item: Item, next: Item | undefined): string {
  const line = lineStart(text, item.from);
  const end = endOfLine(text, item.to);
  const isAfterDash = item.keyEnd > item.from && /^\s*- /.test(text.slice(line, item.from));
  if (isAfterDash && next) return text.slice(0, item.from) + text.slice(next.from);
  return text.slice(0, line) + text.slice(end);
}

function linesOf(text: string, value: unknown, indent: number): string {
  const { eol, step } = layoutOf(text);
  const lines = stringify(value, { lineWidth: 0, indent: step });
  return lines.replace(/^(?=.)/gm, ' '.repeat(indent)).replaceAll('\n', eol);
}

function flowOf(value: unknown): string {
  return stringify(value, { lineWidth: 0, collectionStyle: 'flow' }).trimEnd();
}

interface YamlLayout {
  /** Spaces of one step of indentation. */
  readonly step: number;
  readonly eol: string;
}

function layoutOf(text: string): YamlLayout {
  const [, spaces = '  '] = /^( {2,8})[^\s#-]/m.exec(text) ?? [];
  return { step: spaces.length, eol: eolOf(text) };
}

/** The column of an item: that of its key, or of the dash before an element. */
function columnOf(text: string, { from }: Item): number {
  return from - lineStart(text, from);
}

/** The beginning of the line after a position; a position at the beginning of a line is not moved. */
function endOfLine(text: string, at: number): number {
  if (at > 0 && text[at - 1] === '\n') return at;
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}

function ended(text: string, eol: string): string {
  return text === '' || text.endsWith('\n') ? text : text + eol;
}
