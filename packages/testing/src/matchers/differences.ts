/** Compares JSON with the part of it that a test expects; reports each difference with its path. */
import type { Equals } from './matcher';
import { isAsymmetric, printValue } from './print-value';

/**
 * Members that are not expected may be there; lists are compared as a whole. A regular expression stands for a text that it
 * matches, and `expect.any()` and similar matchers for values that they match.
 * @param path of `actual`, for the lines that are returned
 * @returns a line for each difference; empty if there is no difference
 */
export function differences(actual: unknown, expected: unknown, equals: Equals, path = ''): string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) return inList(actual, expected, equals, path);
  if (isPlain(expected) && isPlain(actual)) {
    return Object.entries(expected).flatMap(([name, value]) =>
      differences(actual[name], value, equals, path === '' ? name : `${path}.${name}`),
    );
  }
  const fits =
    expected instanceof RegExp && typeof actual === 'string' ? actual.search(expected) >= 0 : equals(actual, expected);
  return fits ? [] : [`${path || 'the whole'}: expected ${printValue(expected)}, there is ${there(actual)}`];
}

function inList(actual: readonly unknown[], expected: readonly unknown[], equals: Equals, path: string): string[] {
  if (actual.length !== expected.length)
    return [
      `${path || 'the list'}: expected ${expected.length} elements, there are ${actual.length}: ${printValue(actual)}`,
    ];
  return expected.flatMap((value, index) => differences(actual[index], value, equals, `${path}[${index}]`));
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof RegExp) &&
    !isAsymmetric(value)
  );
}

function there(actual: unknown): string {
  return actual === undefined ? 'nothing' : printValue(actual);
}
