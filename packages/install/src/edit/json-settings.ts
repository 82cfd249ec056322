/** Changes of JSON text that leave every other character as it is: comments, indentation, trailing commas. */
import { parseTree, printParseErrorCode, stripComments, type Node, type ParseError } from 'jsonc-parser';
import {
  commaAfter,
  cutMember,
  eolOf,
  indentAt,
  insert,
  lineStart,
  nested,
  replace,
  type ParsedSettings,
  type Span,
} from './settings-text';

/** Parses a file. @param isStrict whether comments and trailing commas are mistakes */
export function parseJsonSettings(text: string, isStrict: boolean): ParsedSettings {
  const errors: ParseError[] = [];
  parseTree(text, errors, { disallowComments: isStrict, allowTrailingComma: !isStrict });
  const [first] = errors;
  if (isEmpty(text) && (!first || printParseErrorCode(first.error) === 'ValueExpected')) return { value: {} };
  if (first) return { problem: { line: lineAt(text, first.offset), reason: describe(first, text) } };
  return { value: valueOf(treeOf(text)) ?? {} };
}

/** Sets a member of an object, or adds an element to a list (`-` as the last part of the path). Creates the objects above it. */
export function setInJson(text: string, path: readonly string[], value: unknown): string {
  const layout = layoutOf(text);
  if (isEmpty(text)) {
    const comments = text.trimEnd();
    return `${comments === '' ? '' : comments + layout.eol}${renderAt(nested(path, value), { ...layout, indent: '' })}${layout.eol}`;
  }
  let node = treeOf(text);
  for (const [index, part] of path.entries()) {
    if (node.type === 'null') return put(text, node, nested(path.slice(index), value));
    const found = memberOf(node, part);
    if (!found) return addTo(text, node, { name: part, value: nested(path.slice(index + 1), value) });
    node = found;
  }
  return put(text, node, value);
}

/** Whether a file has no value, but maybe comments. */
function isEmpty(text: string): boolean {
  return stripComments(text).trim() === '';
}

/** Writes a value in place of another one. */
function put(text: string, node: Node, value: unknown): string {
  const start = lineStart(text, node.offset);
  const [indent = ''] = /^[ \t]*/.exec(text.slice(start)) ?? [];
  return replace(text, spanOf(node), renderAt(value, { ...layoutOf(text), indent }));
}

/** Removes a member of an object, or an element of a list by its position. */
export function removeFromJson(text: string, path: readonly string[]): string {
  const parts = [...path];
  const last = parts.pop() ?? '';
  let node = treeOf(text);
  for (const part of parts) {
    const found = memberOf(node, part);
    if (!found) return text;
    node = found;
  }
  const members = node.children ?? [];
  const index = members.findIndex((one, at) => nameOf(node, one, at) === last);
  const [member, before] = [members[index], members[index - 1]];
  if (!member) return text;
  if (members.length === 1 && isBlank(text, node, member))
    return replace(text, { from: node.offset + 1, to: endOf(node) - 1 }, '');
  const isLast = index === members.length - 1;
  return cutMember(text, { member: spanOf(member), before: before && spanOf(before), isLast });
}

/** Whether an object or list has nothing but one member, not even a comment. */
function isBlank(text: string, parent: Node, member: Node): boolean {
  const after = text.slice(endOf(member), endOf(parent) - 1).replace(',', '');
  return (text.slice(parent.offset + 1, member.offset) + after).trim() === '';
}

interface JsonLayout {
  readonly unit: string;
  readonly eol: string;
}

/** The indentation and the line ends of a file; two spaces where it has none. */
function layoutOf(text: string): JsonLayout {
  const [, unit = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  return { unit, eol: eolOf(text) };
}

function treeOf(text: string): Node {
  // Only texts without errors come here, and those have a root.
  return parseTree(text, [], { allowTrailingComma: true }) as Node;
}

function memberOf(node: Node, name: string): Node | undefined {
  const members = node.children ?? [];
  const found = members.find((member, index) => nameOf(node, member, index) === name);
  return node.type === 'object' ? found?.children?.[1] : found;
}

function nameOf(parent: Node, member: Node, index: number): string {
  return parent.type === 'object' ? String(member.children?.[0]?.value) : String(index);
}

function addTo(
  text: string,
  parent: Node,
  { name, value }: { readonly name: string; readonly value: unknown },
): string {
  const { eol, unit } = layoutOf(text);
  const label = parent.type === 'object' ? `${JSON.stringify(name)}: ` : '';
  const last = parent.children?.at(-1);
  const isFlat = last !== undefined && !text.slice(parent.offset, endOf(parent)).includes('\n');
  if (isFlat) return insert(text, endOf(last), `, ${label}${JSON.stringify(value)}`);
  const indent = last ? indentAt(text, last.offset) : indentAt(text, parent.offset) + unit;
  const member = `${indent}${label}${renderAt(value, { unit, eol, indent })}`;
  if (!last) return fill(text, parent, { member, eol });
  const comma = commaAfter(text, endOf(last));
  const at = endOfLine(text, comma ?? endOf(last), endOf(parent) - 1);
  const added = insert(text, at, `${eol}${member}${comma === undefined ? '' : ','}`);
  return comma === undefined ? insert(added, endOf(last), ',') : added;
}

/** Puts the first member into an empty object or list; comments in it stay. */
function fill(text: string, parent: Node, { member, eol }: { readonly member: string; readonly eol: string }): string {
  const close = endOf(parent) - 1;
  const inside = text.slice(parent.offset + 1, close).trimEnd();
  const after = `${eol}${member}${eol}${indentAt(text, parent.offset)}`;
  return replace(text, { from: parent.offset + 1, to: close }, inside + after);
}

/** The end of a line whose rest is empty or a comment; otherwise the position itself. */
function endOfLine(text: string, from: number, limit: number): number {
  const [rest = ''] = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/[ \t]*(?=\r?\n))?/.exec(text.slice(from, limit)) ?? [];
  return from + rest.trimEnd().length;
}

function renderAt(value: unknown, { unit, eol, indent }: JsonLayout & { readonly indent: string }): string {
  return JSON.stringify(value, null, unit).split('\n').join(`${eol}${indent}`);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function spanOf(node: Node): Span {
  return { from: node.offset, to: endOf(node) };
}

/** The value of a tree, whose members are all its own: also one that is called `__proto__`. */
function valueOf({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(valueOf);
  if (type !== 'object') return value as unknown;
  return Object.fromEntries(
    children.map(({ children: [name, inner] = [] }) => [String(name?.value), inner && valueOf(inner)]),
  );
}

function describe({ error, offset, length }: ParseError, text: string): string {
  // `CommaExpected` -> `comma expected`
  const words = printParseErrorCode(error)
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase();
  const found = text.slice(offset, offset + Math.min(length, 20)).trim();
  return found === '' ? words : `${words} at ${JSON.stringify(found)}`;
}

/** The line of an offset, from 1. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
