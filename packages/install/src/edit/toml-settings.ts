/** Changes of TOML text by single members, which leave every other character as it is. */
import { isObject } from '@sigil-mcp/base';
import { parse, stringify, TomlError } from 'smol-toml';
import { reasonOf } from '@sigil-mcp/cli/kit';
import {
  cutMember,
  eolOf,
  indentAt,
  insert,
  lineEnd,
  lineStart,
  replace,
  type ParsedSettings,
  type Span,
} from './settings-text';
import { TomlStatements, type TomlHead, type TomlPair } from './toml-statements';

/** Parses a file. */
export function parseTomlSettings(text: string): ParsedSettings {
  try {
    // A plain copy: dates and large integers become texts, and objects have the usual prototype.
    const parsed = parse(text, { integersAsBigInt: 'asNeeded' });
    const plain = JSON.stringify(parsed, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    return { value: JSON.parse(plain) as unknown };
  } catch (error) {
    const [reason = ''] = reasonOf(error)
      .replace(/^Invalid TOML document: /, '')
      .split('\n');
    return { problem: { line: error instanceof TomlError ? error.line : 1, reason } };
  }
}

/** A server, which gets a table of its own: its container and its name. */
const SERVER_DEPTH = 2;

/** Sets a member where its file has it: in a table, with dotted names, or in braces. A new server is a table at the end of the file. */
export function setInToml(text: string, path: readonly string[], value: unknown): string {
  const { heads, pairs } = new TomlStatements(text);
  const own = pairs.find(({ keys }) => isSame(keys, path));
  if (own) return replace(text, own.value, inlineOf(value));
  const parent = path.slice(0, -1);
  const member = (depth: number): string => `${dotted(path.slice(depth))} = ${inlineOf(value)}`;
  const braces = pairs.find(({ keys }) => isSame(keys, parent));
  if (braces) return addInline(text, { pairs, braces }, member(parent.length));
  if (path.length === SERVER_DEPTH) return append(text, stringify({ [path[0] ?? '']: { [path[1] ?? '']: value } }));
  const head = heads.find(({ keys, isList }) => !isList && isSame(keys, parent));
  const last = pairs.filter((pair) => !pair.isInline && (head ? pair.head === head : isDotted(pair, parent))).at(-1);
  const eol = eolOf(text);
  if (last)
    return insert(
      text,
      lineEnd(text, last.value.to),
      eol + indentAt(text, last.from) + member(last.head?.keys.length ?? 0),
    );
  if (head) return insert(text, lineEnd(text, head.to), eol + member(parent.length));
  const below = heads.find(({ keys }) => startsWith(keys, parent));
  const table = `[${dotted(parent)}]${eol}${member(parent.length)}${eol}`;
  return below ? insert(text, below.from, table + eol) : append(text, table);
}

/** Removes a member, with everything below it. */
export function removeFromToml(text: string, path: readonly string[]): string {
  const statements = new TomlStatements(text);
  const { heads, pairs } = statements;
  const tables = heads.filter(({ keys }) => startsWith(keys, path));
  const [pair] = pairs
    .filter(({ keys, head }) => startsWith(keys, path) && !(head && tables.includes(head)))
    .sort((one, other) => one.from - other.from);
  if (pair) return removeFromToml(pair.isInline ? cutInline(text, statements, pair) : cutLines(text, pair), path);
  const eol = eolOf(text);
  const ranges = tables.map((table) => rangeOf(text, statements, { table, tables }));
  const rest = ranges.reduceRight((left, range) => replace(left, range, ''), text);
  const isAtEnd = ranges.at(-1)?.to === text.length;
  // The line between the last server and what is above it.
  return isAtEnd && rest.endsWith(eol + eol) ? rest.slice(0, -eol.length) : rest;
}

/** A table with the empty lines below it. A comment below it is of no table that is removed, unless another one of those follows. */
function rangeOf(
  text: string,
  { heads, pairs }: TomlStatements,
  { table, tables }: { readonly table: TomlHead; readonly tables: readonly TomlHead[] },
): Span {
  const from = lineStart(text, table.from);
  const next = heads[heads.indexOf(table) + 1];
  if (next && tables.includes(next)) return { from, to: lineStart(text, next.from) };
  const last = pairs.filter(({ head, isInline }) => head === table && !isInline).at(-1);
  const end = lineEnd(text, last?.value.to ?? table.to);
  const [empty = ''] = /^(?:[ \t]*\r?\n)*(?:[ \t]*$)?/.exec(text.slice(end)) ?? [];
  return { from, to: end + empty.length };
}

/** Whether a member is one of a table that has no line of its own. */
function isDotted({ keys, head }: TomlPair, parent: readonly string[]): boolean {
  return startsWith(keys, parent) && (head?.keys.length ?? 0) < parent.length;
}

function addInline(
  text: string,
  { pairs, braces }: { readonly pairs: readonly TomlPair[]; readonly braces: TomlPair },
  member: string,
): string {
  const { from, to } = braces.value;
  const inside = pairs.filter((pair) => pair.from > from && pair.value.to < to);
  if (inside.length === 0) return replace(text, braces.value, `{ ${member} }`);
  const end = Math.max(...inside.map(({ value }) => value.to));
  return insert(text, end, `, ${member}`);
}

/** @param pair in braces, which have no lines of their own */
function cutInline(text: string, { pairs }: TomlStatements, { keys, from, value }: TomlPair): string {
  const beside = pairs.filter((one) => one.isInline && isSame(one.keys.slice(0, -1), keys.slice(0, -1)));
  const at = beside.findIndex((one) => one.from === from);
  const before = beside[at - 1];
  const isLast = at === beside.length - 1;
  return cutMember(text, { member: { from, to: value.to }, before: before && before.value, isLast });
}

function cutLines(text: string, { from, value }: TomlPair): string {
  const end = lineEnd(text, value.to);
  const eol = /^\r?\n/.exec(text.slice(end))?.[0] ?? '';
  return replace(text, { from: lineStart(text, from), to: end + eol.length }, '');
}

function append(text: string, table: string): string {
  const eol = eolOf(text);
  const lines = table.trimEnd().split(/\r?\n/).join(eol) + eol;
  if (text.trim() === '') return lines;
  return `${text}${text.endsWith('\n') ? '' : eol}${eol}${lines}`;
}

/** `a."b c"` */
function dotted(keys: readonly string[]): string {
  return keys.map((key) => stringify({ [key]: 0 }).replace(/ = 0\s*$/, '')).join('.');
}

/** A value on one line. */
function inlineOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(inlineOf).join(', ')} ]`;
  if (!isObject(value)) return stringify({ a: value }).slice('a = '.length).trimEnd();
  const members = Object.entries(value).map(([name, inner]) => `${dotted([name])} = ${inlineOf(inner)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && startsWith(one, other);
}

function startsWith(keys: readonly string[], path: readonly string[]): boolean {
  return path.every((part, at) => keys[at] === part);
}
