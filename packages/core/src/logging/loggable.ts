/** Anything at all -> what JSON can hold: a log entry never fails what it is about. */
import type { JsonValue } from '@sigil-mcp/protocol';

/** Levels of a value that are written; what is below them is named by its type. */
const DEEPEST = 12;

/**
 * Copies a value as JSON has it. Errors are written with their stack, cause and members; cycles, what is nested too deeply and
 * getters that throw are named in their place; BigInt becomes text; members without a value are left out.
 * @returns undefined for what JSON leaves out: undefined, functions and symbols
 */
export function loggable(value: unknown): JsonValue | undefined {
  return copy(value, []);
}

function copy(value: unknown, above: readonly object[]): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) ? value : String(value);
    case 'bigint':
      return value.toString();
    case 'object':
      return value === null ? null : copyObject(value, above);
    default:
      return undefined;
  }
}

function copyObject(value: object, above: readonly object[]): JsonValue | undefined {
  if (above.includes(value)) return '[Circular]';
  if (above.length >= DEEPEST) return Array.isArray(value) ? '[Array]' : '[Object]';
  const inside = [...above, value];
  try {
    if (value instanceof Error) return copyMembers(errorMembers(value), inside);
    // As JSON.stringify does: a date, a buffer, a URL says itself how it is written.
    if (saysItself(value)) return copy(value.toJSON(), inside);
    if (Array.isArray(value)) return value.map((item) => copy(item, inside) ?? null);
    return copyMembers(value, inside);
  } catch (error) {
    return thrown(error);
  }
}

function saysItself(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

function copyMembers(object: object, inside: readonly object[]): JsonValue {
  const members = Object.keys(object).map((name) => [name, copyMember(object, name, inside)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}

function copyMember(object: object, name: string, inside: readonly object[]): JsonValue | undefined {
  try {
    // The one place where a value is read by name without knowing what it is.
    return copy((object as Record<string, unknown>)[name], inside);
  } catch (error) {
    return thrown(error);
  }
}

/** What is known of an error, its own members included, in the order in which people look for it. */
function errorMembers(error: Error): object {
  const { name, message, stack } = error;
  return {
    ...{ name, message },
    ...error,
    stack,
    ...(error.cause !== undefined && { cause: error.cause }),
    ...(error instanceof AggregateError && { errors: error.errors as unknown[] }),
  };
}

function thrown(error: unknown): string {
  return `[Throws: ${error instanceof Error ? error.message : typeof error}]`;
}
