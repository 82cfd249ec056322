/** The parts of TypeScript code that types are written with. */
import { isObject } from '@sigil-mcp/base';

/** A choice of types: without repetition, and unknown if one of them is. */
export function union(types: readonly string[]): string {
  const all = [...new Set(types)].filter((type) => type !== 'never');
  if (all.includes('unknown')) return 'unknown';
  if (all.length === 0) return 'never';
  return all.length === 1 ? String(all[0]) : all.map((type) => (/[&|]/.test(type) ? `(${type})` : type)).join(' | ');
}

/** The name of a member, in quotes if it is no identifier. */
export function memberName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The description of a schema or an entry as a comment before it, with a line break; empty without one. */
export function jsDoc(described: unknown): string {
  const description = isObject(described) ? described['description'] : undefined;
  if (typeof description !== 'string' || description.trim() === '') return '';
  // What would end the comment, or the line of an editor, is taken apart.
  const lines = description
    .trim()
    .replaceAll('*/', '*\u200b/')
    .split(/[\r\n\u2028\u2029]+/);
  return lines.length === 1
    ? `/** ${String(lines[0])} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`).join('\n')}\n */\n`;
}

/** A text as the name of a type. */
export function typeName(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `Type${name}`;
}

/** Code with two spaces for each open brace. Comments and texts have no braces at the end of a line. */
export function indent(code: string): string {
  let depth = 0;
  const lines = code.split('\n').map((line) => {
    const closes = /^[}\])]/.test(line);
    if (closes) depth -= 1;
    const written = line === '' ? '' : `${'  '.repeat(Math.max(depth, 0))}${line}`;
    if (line.endsWith('{') && !isComment(line)) depth += 1;
    return written;
  });
  return lines.join('\n');
}

function isComment(line: string): boolean {
  return /^(?:\/\*\*| \*)/.test(line);
}
