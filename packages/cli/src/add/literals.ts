/** Values as TypeScript: of an API document, of a call. No text in them can become code: every one passes here. */
import { isObject } from '@sigil-mcp/base';

/** Characters that end a line for some programs, that nobody sees, or that change how a line is shown. */
const ESCAPED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\ufeff\ufffe\uffff]/gu;

/** A text in single quotes, on one line. */
export function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped(inside)}'`;
}

/** A text as a part of a template, without its backticks. */
export function templateText(text: string): string {
  return escaped(
    JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll('`', '\\`').replaceAll('${', '\\${'),
  );
}

/** Any JSON. */
export function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    if (members.length === 0) return '{}';
    // In brackets a name is a name: without them, __proto__ would be the prototype.
    return `{ ${members.map(([name, each]) => `${name === '__proto__' ? `[${quoted(name)}]` : memberName(name)}: ${literal(each)}`).join(', ')} }`;
  }
  return JSON.stringify(value) ?? 'undefined';
}

/** The name of a member, in quotes if it has to be. */
export function memberName(name: string): string {
  return isIdentifier(name) ? name : quoted(name);
}

/** Whether a text can be written as a name. */
export function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name);
}

/** A regular expression. A literal, unless linters would see more in its text than there is. */
export function expression(source: string): string {
  const { source: safe } = new RegExp(source, 'u');
  const isPlain = /^[\x20-\x7e]*$/.test(safe) && !/\\[^\w./]|\[\]|\[[^[\]]*\\\.| {2}/.test(safe);
  return isPlain ? `/${safe}/u` : `new RegExp(${quoted(source)}, 'u')`;
}

/** A text as a comment on one line; empty without one. */
export function comment(text: string): string {
  const plain = text.replace(ESCAPED, ' ').replace(/\s+/g, ' ').replaceAll('*/', '* /').trim();
  return plain === '' ? '' : `/** ${plain} */`;
}

function escaped(text: string): string {
  return text.replace(ESCAPED, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
