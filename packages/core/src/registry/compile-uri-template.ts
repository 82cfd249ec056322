/**
 * RFC 6570 template -> matcher. What expansion would make of the variables is undone: each operator has a pattern for its
 * text and a reader for the values in it.
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
import type { UriTemplate } from './uri-template';

type Values = Record<string, string>;

/** One piece of a template: a pattern with one capturing group, and what the group says. */
interface Piece {
  readonly pattern: string;
  readonly names: readonly string[];
  /** False if the text does not fit. Throws `URIError` for broken percent-encoding. */
  readonly read: (text: string, values: Values) => boolean;
}

/** How an operator separates and delimits its values. */
interface Operator {
  readonly prefix: string;
  readonly separator: string;
  /** Characters that a value may consist of. */
  readonly characters: string;
  /** Whether values are written as `name=value`, in any order, each optional. */
  readonly named: boolean;
}

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': { prefix: '', separator: ',', characters: '[^/?#,]', named: false },
  '+': { prefix: '', separator: ',', characters: '[^,]', named: false },
  '#': { prefix: '#', separator: ',', characters: '[^,]', named: false },
  '.': { prefix: '.', separator: '.', characters: '[^/?#.]', named: false },
  '/': { prefix: '/', separator: '/', characters: '[^/?#]', named: false },
  ';': { prefix: ';', separator: ';', characters: '[^/?#;]', named: true },
  '?': { prefix: '?', separator: '&', characters: '[^#&]', named: true },
  '&': { prefix: '&', separator: '&', characters: '[^#&]', named: true },
};

const EXPRESSION = /\{([^{}]*)\}/g;
const VARIABLE = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*$/;

/** The matcher, or the sentence that says why there can be none. */
export function compileUriTemplate(template: string): UriTemplate | string {
  const literals = template.split(EXPRESSION).filter((_, index) => index % 2 === 0);
  if (literals.some((literal) => /[{}]/.test(literal))) return 'its braces do not pair up.';
  if (literals.slice(1, -1).includes('')) return 'two expressions stand side by side, so nothing tells where one ends.';
  const pieces: Piece[] = [];
  for (const [, expression = ''] of template.matchAll(EXPRESSION)) {
    const piece = compileExpression(expression);
    if (typeof piece === 'string') return piece;
    pieces.push(piece);
  }
  const variables = pieces.flatMap(({ names }) => names);
  if (new Set(variables).size < variables.length) return 'a variable occurs twice.';
  const pattern = literals.map((literal, index) => escape(literal) + (pieces[index]?.pattern ?? '')).join('');
  return { template, variables, match: compileMatch(new RegExp(`^${pattern}$`, 'su'), pieces) };
}

function compileMatch(pattern: RegExp, pieces: readonly Piece[]): UriTemplate['match'] {
  return (uri) => {
    const found = pattern.exec(uri);
    if (!found) return undefined;
    const values: Values = {};
    try {
      return pieces.every((piece, index) => piece.read(found[index + 1] ?? '', values)) ? values : undefined;
    } catch {
      return undefined; // broken percent-encoding: not a URI that this template expands to
    }
  };
}

function compileExpression(expression: string): Piece | string {
  const [first = ''] = expression;
  const symbol = /\w|%/.test(first) ? '' : first;
  const operator = OPERATORS[symbol];
  if (!operator) return `{${expression}} has an operator that RFC 6570 does not define.`;
  const names = expression.slice(symbol.length).split(',');
  if (names.some((name) => /[*:]/.test(name)))
    return `{${expression}} has a modifier, and what it expands to cannot be told apart again.`;
  if (!names.every((name) => VARIABLE.test(name))) return `{${expression}} names no variable.`;
  return operator.named ? namedPiece(operator, names) : positionalPiece(operator, names);
}

/** `{a,b}`, `{/a,b}`: every value is there, in order. */
function positionalPiece({ prefix, separator, characters }: Operator, names: readonly string[]): Piece {
  const value = `${characters}+`;
  const pattern = `${escape(prefix)}(${names.map(() => value).join(escape(separator))})`;
  const read = (text: string, values: Values): boolean => {
    const parts = text.split(separator);
    names.forEach((name, index) => (values[name] = decodeURIComponent(parts[index] ?? '')));
    return parts.length === names.length;
  };
  return { pattern, names, read };
}

/** `{?a,b}`, `{;a,b}`: each value may be absent, and clients do not keep their order. */
function namedPiece({ prefix, separator, characters }: Operator, names: readonly string[]): Piece {
  const pair = `${characters}*`;
  const pattern = `((?:${escape(prefix)}${pair}(?:${escape(separator)}${pair})*)?)`;
  const read = (text: string, values: Values): boolean => {
    const pairs = text === '' ? [] : text.slice(prefix.length).split(separator);
    return pairs.every((part) => {
      const [name = '', ...rest] = part.split('=');
      if (!names.includes(name) || Object.hasOwn(values, name)) return false;
      values[name] = decodeURIComponent(rest.join('='));
      return true;
    });
  };
  return { pattern, names, read };
}

function escape(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
