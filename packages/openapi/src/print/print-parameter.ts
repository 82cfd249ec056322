/** How a parameter of a path, a query, a header or a cookie is written in a request. */
import { literals } from '@sigil-mcp/cli/kit';
import type { ArgumentPlan } from '../plan/type-plan';

/** The functions of the file of parameters that a feature imports. */
export type Helpers = Set<string>;

/** The value of an argument, in the call of the function that writes its style. */
export function writtenParameter(
  argument: Pick<ArgumentPlan, 'wireName' | 'parameter' | 'isArray' | 'isObject'>,
  value: string,
  helpers: Helpers,
): string {
  const call = (helper: string, ...values: readonly string[]): string => {
    helpers.add(helper);
    return `${helper}(${values.join(', ')})`;
  };
  const { parameter, isArray, isObject, wireName } = argument;
  if (!parameter) return value;
  const { style, explode, place } = parameter;
  const hasMembers = isArray || isObject;
  const exploded = explode ? ['true'] : [];
  switch (style) {
    case 'simple':
      return hasMembers ? call('asSimple', value, ...exploded) : value;
    case 'label':
      return call('asLabel', value, ...exploded);
    case 'matrix':
      return call('asMatrix', literals.quoted(wireName), value, ...exploded);
    case 'spaceDelimited':
      return hasMembers && !explode ? call('inSpaces', value) : value;
    case 'pipeDelimited':
      return hasMembers && !explode ? call('inPipes', value) : value;
    case 'deepObject':
      return call('inBrackets', value);
    case 'json':
      return place === 'query' ? call('inJson', value) : `JSON.stringify(${value})`;
    default:
      return hasMembers && !explode ? call('inCommas', value) : value;
  }
}
