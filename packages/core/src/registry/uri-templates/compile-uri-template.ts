/**
 * RFC 6570 template -> matcher and expander. What expansion would make of the variables is undone: each expression becomes
 * captures, the texts between literals, and readers for the values in them.
 * @see https://www.rfc-editor.org/rfc/rfc6570
 */
import { normalUri } from '../../values/normal-uri';
import {
  expandUriTemplate,
  parseUriTemplate,
  stopsOf,
  type Expression,
  type ParsedTemplate,
  type UriTemplate,
  type Variable,
} from './parse-uri-template';
import { compileCaptures, type Capture, type TemplateToken } from './match-captures';

type Values = Record<string, string | string[]>;

/** Puts what a capture says into the values. False if it does not fit; throws `URIError` for broken percent-encoding. */
type ReadCapture = (text: string, values: Values) => boolean;

interface TemplatePart {
  readonly token: TemplateToken;
  /** Undefined for a literal. */
  readonly read: ReadCapture | undefined;
}

/**
 * Levels 1 to 4 of the RFC, as far as a URI says what it was expanded from:
 * - `{name:3}` matches one to three characters, and the variable is only these characters: the rest of its value was cut off.
 * - `{name*}` is a list of strings. In an expression without names it has at least one item and is the last variable, with
 *   names (`{?tags*}`: `tags=a&tags=b`) it may be absent. Associative arrays look like lists or like other variables when
 *   they are expanded, so exploding always means a list.
 * - Two expressions may be adjacent if the second begins with a character that the first cannot contain:
 *   `{city}{?units}`.
 *
 * Values are decoded once, after they were separated: `%2F` in a value becomes a slash that does not separate.
 * @returns the template, or a sentence with the reason why it cannot be matched
 */
export function compileUriTemplate(template: string): UriTemplate | string {
  const parsed = parseUriTemplate(template);
  if (typeof parsed === 'string') return parsed;
  const variables = parsed.expressions.flatMap((expression) => expression.variables);
  return {
    template,
    variables: variables.map(({ name }) => name),
    lists: new Set(variables.flatMap(({ name, isList }) => (isList ? [name] : []))),
    match: compileSpellings(parsed),
    expand: (values) => expandUriTemplate(parsed, values),
  };
}

/** Stands for an expression while the literals around it are normalized. No URI contains it. */
const GAP = '\u0000';

/**
 * Matches a URI as it is written, or else as an equal one is. The case of the host is only given up where nothing else helps: a variable
 * that stands in it keeps what was sent.
 */
function compileSpellings(parsed: ParsedTemplate): UriTemplate['match'] {
  const exact = compileMatch(parsed);
  const text = parsed.literals.join(GAP);
  const others = (['as sent', 'in lower case'] as const).map((host) => {
    const normal = normalUri(text, host);
    return { host, isSame: normal === text, match: compileMatch({ ...parsed, literals: normal.split(GAP) }) };
  });
  return (uri) => {
    const found = exact(uri);
    if (found) return found;
    for (const { host, isSame, match } of others) {
      const normal = normalUri(uri, host);
      const variables = isSame && normal === uri ? undefined : match(normal);
      if (variables) return variables;
    }
    return undefined;
  };
}

function compileMatch({ literals, expressions }: ParsedTemplate): UriTemplate['match'] {
  const pieces = literals.flatMap((text, index) => [literal(text), compileExpression(expressions[index])].flat());
  const divide = compileCaptures(joinLiterals(pieces.map(({ token }) => token)));
  const readers = pieces.flatMap(({ read }) => read ?? []);
  return (uri) => {
    const captures = divide(uri);
    if (!captures) return undefined;
    const values: Values = {};
    try {
      return readers.every((read, index) => read(captures[index] ?? '', values)) ? values : undefined;
    } catch {
      return undefined; // broken percent-encoding: not a URI that this template expands to
    }
  };
}

function compileExpression(expression: Expression | undefined): TemplatePart[] {
  if (!expression) return [];
  return expression.operator.named ? [namedPiece(expression)] : positionalPieces(expression);
}

/** `{a,b}`, `{/a,b}`: every value is there, in order. */
function positionalPieces(expression: Expression): TemplatePart[] {
  const { prefix, separator } = expression.operator;
  return expression.variables.flatMap((variable, index) => {
    const token: Capture = { stops: stopsOf(expression, variable), opener: undefined, longest: variable.longest };
    const read = variable.isList ? readList(variable.name, separator) : readText(variable.name);
    return [literal(index === 0 ? prefix : separator), { token, read }];
  });
}

function readText(name: string): ReadCapture {
  return (text, values) => {
    values[name] = decodeURIComponent(text);
    return true;
  };
}

/** An item is no more empty than a single value. */
function readList(name: string, separator: string): ReadCapture {
  return (text, values) => {
    const items = text.split(separator);
    values[name] = items.map(decodeURIComponent);
    return !items.includes('');
  };
}

/** `{?a,b}`, `{;a,b}`: each value may be absent, and clients do not keep their order. */
function namedPiece(expression: Expression): TemplatePart {
  const { prefix, separator } = expression.operator;
  const variables = new Map(expression.variables.map((variable) => [variable.name, variable]));
  const read: ReadCapture = (text, values) => {
    const pairs = text === '' ? [] : text.slice(prefix.length).split(separator);
    return pairs.every((pair) => readPair(pair, variables, values));
  };
  return { token: { stops: stopsOf(expression, undefined), opener: prefix, longest: undefined }, read };
}

function readPair(pair: string, variables: ReadonlyMap<string, Variable>, values: Values): boolean {
  const [name = '', ...rest] = pair.split('=');
  const variable = variables.get(name);
  if (!variable) return false;
  const text = decodeURIComponent(rest.join('='));
  const before = Object.hasOwn(values, name) ? values[name] : undefined;
  if (variable.isList) {
    if (Array.isArray(before)) before.push(text);
    else values[name] = [text];
    return true;
  }
  values[name] = text;
  return before === undefined && (variable.longest === undefined || [...text].length <= variable.longest);
}

function literal(token: string): TemplatePart {
  return { token, read: undefined };
}

function joinLiterals(tokens: readonly TemplateToken[]): TemplateToken[] {
  const joined: TemplateToken[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token === '') continue;
    if (typeof token === 'string' && typeof last === 'string') joined[joined.length - 1] = last + token;
    else joined.push(token);
  }
  return joined;
}
