/**
 * RFC 6570 template -> its literals and expressions, or the reason why URIs could not be matched unambiguously: matching is defined
 * only if every variable has exactly one possible start and end.
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
import { sigilError } from '../../errors/catalogue';

/**
 * Variable -> decoded text, or the texts of an exploded one.
 *
 * RFC 6570 templates, both ways. Maintained libraries only expand templates; a server must match URIs, too.
 */
export type UriVariables = Readonly<Record<string, string | readonly string[]>>;

/** One value that a URI can contain. */
type Expandable = string | number | boolean;

/** The values to expand a template with; an exploded variable takes a list. */
export type ExpandableVariables = Readonly<Record<string, Expandable | readonly Expandable[] | undefined>>;

/** A template, compiled. */
export interface UriTemplate {
  readonly template: string;
  /** Names of its variables, in order. */
  readonly variables: readonly string[];
  /** Those that are exploded (`{/path*}`), whose values are lists. */
  readonly lists: ReadonlySet<string>;
  /**
   * Undefined if the URI does not match. Optional variables that are absent are left out, and so is an exploded one without items. The
   * time is linear in the length of the URI.
   */
  match(uri: string): UriVariables | undefined;
  /** Throws a `SigilError` for a variable that is missing, unknown, or a list where one value is needed. */
  expand(variables: ExpandableVariables): string;
}

/** How an operator separates and delimits its values. */
interface Operator {
  readonly prefix: string;
  readonly separator: string;
  /** Characters that no value contains unless they are percent-encoded. */
  readonly encoded: string;
  /** Whether values are written as `name=value`, in any order, each optional. */
  readonly named: boolean;
  /** Whether reserved characters stand as they are in a value. */
  readonly keepsReserved: boolean;
}

/** One variable of an expression. */
export interface Variable {
  readonly name: string;
  /** `{name*}`. */
  readonly isList: boolean;
  /** `{name:3}`: code points; undefined for any number. */
  readonly longest: number | undefined;
}

/** The text between braces. */
export interface Expression {
  readonly text: string;
  readonly operator: Operator;
  readonly variables: readonly Variable[];
}

/** A template, taken apart: before each expression and at the end stands a literal, which may be empty. */
export interface ParsedTemplate {
  readonly literals: readonly string[];
  readonly expressions: readonly Expression[];
}

const plain = { named: false, keepsReserved: false } as const;
const named = { named: true, keepsReserved: false } as const;

const OPERATORS: Readonly<Record<string, Operator>> = {
  '': { prefix: '', separator: ',', encoded: '/?#,', ...plain },
  '+': { prefix: '', separator: ',', encoded: ',', named: false, keepsReserved: true },
  '#': { prefix: '#', separator: ',', encoded: ',', named: false, keepsReserved: true },
  '.': { prefix: '.', separator: '.', encoded: '/?#.', ...plain },
  '/': { prefix: '/', separator: '/', encoded: '/?#', ...plain },
  ';': { prefix: ';', separator: ';', encoded: '/?#;', ...named },
  '?': { prefix: '?', separator: '&', encoded: '#&', ...named },
  '&': { prefix: '&', separator: '&', encoded: '#&', ...named },
};

const EXPRESSION = /\{([^{}]*)\}/g;
const NAME = /^(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*$/;
const MODIFIER = /^(?:\*|:[1-9]\d{0,3})?$/;

/** The parts of a template, or the sentence that says why it cannot be matched. */
export function parseUriTemplate(template: string): ParsedTemplate | string {
  const literals = template.split(EXPRESSION).filter((_, index) => index % 2 === 0);
  if (literals.some((literal) => /[{}]/.test(literal))) return 'its braces do not pair up.';
  const expressions: Expression[] = [];
  for (const [, text = ''] of template.matchAll(EXPRESSION)) {
    const expression = parseExpression(text);
    if (typeof expression === 'string') return expression;
    expressions.push(expression);
  }
  const names = expressions.flatMap(({ variables }) => variables.map(({ name }) => name));
  if (new Set(names).size < names.length) return 'a variable occurs twice.';
  return findAdjacent(literals, expressions) ?? { literals, expressions };
}

/** Characters that end the text of one variable, or of a whole expression with names. */
export function stopsOf({ operator, variables }: Expression, variable: Variable | undefined): string {
  const { encoded, separator, keepsReserved } = operator;
  const isWhole = variable === undefined || variable.isList || (keepsReserved && variables.length === 1);
  return isWhole ? encoded.replace(separator, '') : encoded;
}

function parseExpression(text: string): Expression | string {
  const [first = ''] = text;
  const symbol = /[\w%]/.test(first) ? '' : first;
  const operator = OPERATORS[symbol];
  if (!operator) return `{${text}} has an operator that RFC 6570 does not define.`;
  const variables: Variable[] = [];
  for (const part of text.slice(symbol.length).split(',')) {
    const [name = ''] = part.split(/[*:]/, 1);
    const modifier = part.slice(name.length);
    if (!NAME.test(name)) return `{${text}} names no variable.`;
    if (!MODIFIER.test(modifier)) return `{${text}} has a modifier that is neither * nor a colon with 1 to 9999.`;
    const longest = modifier.startsWith(':') ? Number(modifier.slice(1)) : undefined;
    variables.push({ name, isList: modifier === '*', longest });
  }
  const isCutShort = !operator.named && variables.slice(0, -1).some(({ isList }) => isList);
  if (isCutShort) return `{${text}} has a list before its last variable, so nothing tells where the list ends.`;
  return { text, operator, variables };
}

/** Two adjacent expressions are unambiguous if the second begins with a character that ends the first. */
function findAdjacent(literals: readonly string[], expressions: readonly Expression[]): string | undefined {
  const index = expressions.findIndex((expression, at) => {
    const before = expressions[at - 1];
    if (!before || literals[at] !== '') return false;
    const { prefix } = expression.operator;
    const stops = stopsOf(before, before.operator.named ? undefined : before.variables.at(-1));
    return prefix === '' || !stops.includes(prefix);
  });
  if (index < 0) return undefined;
  const before = `{${expressions[index - 1]?.text ?? ''}}`;
  return `${before} and {${expressions[index]?.text ?? ''}} stand side by side, so nothing tells where ${before} ends.`;
}

// RFC 6570 template and variables -> URI, for templates that can be matched again.

/** Expands; throws a `SigilError` for a variable that is missing, unknown, or a list where one value is needed. */
export function expandUriTemplate({ literals, expressions }: ParsedTemplate, values: ExpandableVariables): string {
  const known = expressions.flatMap(({ variables }) => variables.map(({ name }) => name));
  const unexpected = Object.keys(values).find((name) => !known.includes(name));
  if (unexpected !== undefined)
    throw sigilError('SIGIL_EXPAND_UNKNOWN', { variable: unexpected, known: known.join(', ') });
  return literals.map((literal, index) => literal + expandExpression(expressions[index], values)).join('');
}

function expandExpression(expression: Expression | undefined, values: ExpandableVariables): string {
  if (!expression) return '';
  const { operator, variables } = expression;
  const texts = variables.flatMap((variable) => {
    const items = itemsOf(variable, values).map((item) => encode(cut(item, variable), operator.keepsReserved));
    if (operator.named) return items.map((item) => writePair(variable.name, item, operator.prefix));
    if (items.length === 0) throw sigilError('SIGIL_EXPAND_MISSING', { variable: variable.name });
    return items;
  });
  return texts.length > 0 ? operator.prefix + texts.join(operator.separator) : '';
}

function itemsOf({ name, isList }: Variable, values: ExpandableVariables): string[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) return [];
  if ((typeof value === 'object') !== isList)
    throw sigilError('SIGIL_EXPAND_KIND', { variable: name, wanted: isList ? 'a list' : 'one value' });
  return typeof value === 'object' ? value.map(String) : [String(value)];
}

function cut(text: string, { longest }: Variable): string {
  return longest === undefined ? text : [...text].slice(0, longest).join('');
}

/** Path parameters without a value are written without an equals sign. */
function writePair(name: string, text: string, prefix: string): string {
  return text === '' && prefix === ';' ? name : `${name}=${text}`;
}

function encode(text: string, keepsReserved: boolean): string {
  if (!keepsReserved) return encodeURIComponent(text).replace(/[!'()*]/g, encodeByte);
  // Percent-encoded parts stay unchanged, and brackets are reserved characters, too.
  const parts = text.split(/(%[0-9A-Fa-f]{2}|[[\]])/);
  return parts.map((part, index) => (index % 2 === 0 ? encodeURI(part) : part)).join('');
}

function encodeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}
