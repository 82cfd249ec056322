/** Any value -> JSON: a log entry never fails the code that writes it. */
import type { JsonValue } from '@sigil-mcp/protocol';
import { shownOf, withoutHidden, type ShownClass } from '@sigil-mcp/schema/plain';

/** Levels of a value that are written; what is below them is named by its type. */
const DEEPEST = 12;
/** Values of one entry that are written; what comes after them is counted as more. */
const MOST = 10_000;
/** The field of an entry with what was thrown. */
const THROWN = 'err';
/** Names of members that are written of an object that was thrown, and of which nothing is known. */
const MOST_NAMES = 10;

/**
 * Copies a value as JSON has it. Errors, and what was thrown in place of one, are written with their code, status, stack and cause, and with what their class declares; cycles, what is nested too deeply and
 * getters that throw are named in their place; BigInt becomes text; members without a value are left out.
 * @returns undefined for what JSON leaves out: undefined, functions and symbols. Never throws
 */
export function loggable(value: unknown): JsonValue | undefined {
  return new Copying().copy(value, []);
}

/** The copying of one entry. */
class Copying {
  #left = MOST;

  /** @param wasThrown whether it is no more to be written than of an error */
  copy(value: unknown, above: readonly object[], wasThrown = false): JsonValue | undefined {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return value.toString();
      case 'object':
        return value === null ? null : this.#copyObject(value, above, wasThrown);
      default:
        return undefined;
    }
  }

  #copyObject(value: object, above: readonly object[], wasThrown: boolean): JsonValue | undefined {
    if (above.includes(value)) return '[Circular]';
    const inside = [...above, value];
    try {
      if (above.length >= DEEPEST) return Array.isArray(value) ? '[Array]' : '[Object]';
      const shown = shownOf(Object.getPrototypeOf(value) as object | null);
      if (value instanceof Error) return this.#copyError(value, shown, inside);
      // As JSON.stringify does: a date, a buffer, a URL says itself how it is written.
      if (saysItself(value)) return this.copy(withoutHidden(value.toJSON(), shown), inside, wasThrown);
      if (Array.isArray(value)) return this.#copyItems(value, inside);
      if (value instanceof Map || value instanceof Set)
        return this.#copyItems([...(value as Iterable<unknown>)], inside);
      if (wasThrown) return this.#copyError(value, shown, inside);
      return this.#copyMembers(value, namesOf(value, shown), inside, above.length === 0 ? THROWN : undefined);
    } catch (error) {
      return thrown(error);
    }
  }

  /** An error, or what was thrown in place of one: a client of HTTP may throw its response, with the token of the request. */
  #copyError(value: object, shown: ShownClass | undefined, inside: readonly object[]): JsonValue {
    const names = namesOfError(value, shown);
    const isKnown = names.some((name) => name in value);
    if (isKnown) return this.#copyMembers(value, names, inside, 'cause');
    return `[Object with ${Object.keys(value).slice(0, MOST_NAMES).join(', ')}]`;
  }

  #copyItems(items: readonly unknown[], inside: readonly object[]): JsonValue {
    const copies: JsonValue[] = [];
    for (let index = 0; index < items.length; index += 1) {
      if ((this.#left -= 1) < 0) return [...copies, '[More]'];
      copies.push(this.#copyMember(items, index, inside) ?? null);
    }
    return copies;
  }

  /** @param thrown the name of the member that was thrown */
  #copyMembers(object: object, names: readonly string[], inside: readonly object[], thrown?: string): JsonValue {
    const copies: [string, JsonValue][] = [];
    for (const name of names) {
      if ((this.#left -= 1) < 0) return Object.fromEntries([...copies, ['...', '[More]']]);
      const copy = this.#copyMember(object, name, inside, name === thrown);
      if (copy !== undefined) copies.push([name, copy]);
    }
    return Object.fromEntries(copies);
  }

  #copyMember(
    object: object,
    name: string | number,
    inside: readonly object[],
    wasThrown = false,
  ): JsonValue | undefined {
    try {
      // The one place where a value is read by name without knowing what it is.
      return this.copy((object as Record<string | number, unknown>)[name], inside, wasThrown);
    } catch (error) {
      return thrown(error);
    }
  }
}

/** The members that the class of an instance shows: what it keeps back is not for logs either. */
function namesOf(value: object, shown: ShownClass | undefined): readonly string[] {
  return shown ? shown.membersOf(value).map(({ name }) => name) : Object.keys(value);
}

function saysItself(value: object): value is { toJSON(): unknown } {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** What programs and systems say with an error, in few words. */
const TOLD = ['code', 'status', 'statusCode', 'errno', 'syscall', 'path', 'hostname', 'address', 'port'];

/**
 * What is known of an error, in the order in which people look for it, and the members that its class declares. Others are not for logs:
 * clients of HTTP and of databases put the whole request there, with its token, or the password.
 */
function namesOfError(error: object, shown: ShownClass | undefined): readonly string[] {
  const told = TOLD.filter((name) =>
    ['string', 'number'].includes(typeof Object.getOwnPropertyDescriptor(error, name)?.value),
  );
  return [...new Set(['name', 'message', ...told, ...(shown?.declared ?? []), 'stack', 'cause', 'errors'])];
}

function thrown(error: unknown): string {
  try {
    return `[Throws: ${error instanceof Error ? error.message : typeof error}]`;
  } catch {
    return '[Throws]';
  }
}
