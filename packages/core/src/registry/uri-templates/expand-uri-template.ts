/** RFC 6570 template and variables -> URI, for templates that can be matched again. */
import { sigilError } from '../../errors/catalogue';
import type { Expression, ParsedTemplate, Variable, ExpandableVariables } from './parse-uri-template';

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
