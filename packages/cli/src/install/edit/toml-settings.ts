/** Changes of TOML text by whole tables, which leave all other lines as they are. */
import { isObject } from '@sigil-mcp/base';
import { parse, stringify, TomlError } from 'smol-toml';
import { reasonOf } from '../../failure';
import type { ParsedSettings } from './parsed-settings';

/** Parses a file. */
export function parseTomlSettings(text: string): ParsedSettings {
  try {
    // A plain copy: dates become texts, and objects have the usual prototype.
    return { value: JSON.parse(JSON.stringify(parse(text))) as unknown };
  } catch (error) {
    const [reason = ''] = reasonOf(error)
      .replace(/^Invalid TOML document: /, '')
      .split('\n');
    return { problem: { line: error instanceof TomlError ? error.line : 1, reason } };
  }
}

/** Writes a table `[container.name]`, instead of the one that is there, or at the end of the file. */
export function setTomlTable(text: string, path: readonly [string, string], value: unknown): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [container, name] = path;
  const table = stringify({ [container]: { [name]: value } })
    .trimEnd()
    .split('\n')
    .join(eol);
  // A text in quotes may look like the table.
  const held = parse(text)[container];
  const ranges = isObject(held) && Object.hasOwn(held, name) ? rangesOf(text, path) : [];
  const [first] = ranges;
  if (!first) {
    const above = text.trimEnd();
    return `${above}${above === '' ? '' : eol + eol}${table}${eol}`;
  }
  const lines = text.split(/\r?\n/);
  const rest = lines.flatMap((line, index) => {
    if (index === first.from) return [table, ...(first.isFollowed ? [''] : [])];
    return ranges.some(({ from, to }) => index >= from && index < to) ? [] : [line];
  });
  return endedBy(rest.join(eol), eol);
}

/** Removes a table and those below it. */
export function removeTomlTable(text: string, path: readonly [string, string]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const ranges = rangesOf(text, path);
  if (ranges.length === 0) return text;
  const lines = text.split(/\r?\n/);
  const rest = lines.filter((_, index) => !ranges.some(({ from, to }) => index >= from && index < to));
  return endedBy(rest.join(eol), eol);
}

function endedBy(text: string, eol: string): string {
  const trimmed = text.trimEnd();
  return trimmed === '' ? '' : trimmed + eol;
}

interface LineRange {
  readonly from: number;
  /** The line after the last one. */
  readonly to: number;
  /** Whether another table follows. */
  readonly isFollowed: boolean;
}

/** The lines of a table and those below it. Comments directly above the next table belong to that one. */
function rangesOf(text: string, path: readonly [string, string]): LineRange[] {
  const lines = text.split(/\r?\n/);
  const heads = lines.flatMap((line, index) => {
    const keys = keysOf(line);
    return keys === undefined ? [] : [{ index, isOurs: path.every((part, at) => keys[at] === part) }];
  });
  return heads.flatMap(({ index, isOurs }, at) => {
    if (!isOurs) return [];
    const next = heads[at + 1];
    let to = next?.index ?? lines.length;
    if (next && !next.isOurs) while (to > index + 1 && /^\s*#/.test(lines[to - 1] ?? '')) to--;
    return [{ from: index, to, isFollowed: next !== undefined }];
  });
}

/** The keys of a line `[a.b."c"]`; undefined for other lines. */
function keysOf(line: string): string[] | undefined {
  const [, head] = /^\s*\[([^[\]]+)\]\s*(?:#.*)?$/.exec(line) ?? [];
  if (head === undefined) return undefined;
  try {
    const keys: string[] = [];
    let node: unknown = parse(`[${head}]`);
    while (typeof node === 'object' && node !== null) {
      const [key] = Object.keys(node);
      if (key === undefined) return keys;
      keys.push(key);
      node = (node as Record<string, unknown>)[key];
    }
    return keys;
  } catch {
    // A line of a text in quotes, which only looks like the head of a table.
    return undefined;
  }
}
