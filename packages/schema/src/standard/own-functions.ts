/**
 * Whether a schema of zod contains functions of its author. Through `~standard`, zod first validates synchronously and then again with
 * promises: an asynchronous function is called twice, and its first rejection is unhandled. Such a schema is validated with
 * `safeParseAsync`, which calls each function once.
 *
 * @see https://zod.dev/library-authors
 */
import { isObject } from '@sigil-mcp/base';
import type { StandardIssue, StandardResult, StandardSchema } from '../standard-schema';

/** The method that zod's schemas have in addition to the standard. */
interface AsynchronousSchema {
  safeParseAsync(value: unknown): Promise<Parsed>;
}

type Parsed =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly StandardIssue[] } };

/** Validates with `safeParseAsync`; undefined for a schema that `~standard` validates only once, which is nearly every one. */
export function validationOnce(
  source: StandardSchema,
): ((value: unknown) => Promise<StandardResult<unknown>>) | undefined {
  if (source['~standard'].vendor !== 'zod' || !isAsynchronous(source) || !hasOwnFunctions(source)) return undefined;
  return async (value) => resultOf(await source.safeParseAsync(value));
}

function resultOf(parsed: Parsed): StandardResult<unknown> {
  return parsed.success ? { value: parsed.data } : { issues: parsed.error.issues };
}

function isAsynchronous<T extends object>(source: T): source is T & AsynchronousSchema {
  return 'safeParseAsync' in source && typeof source.safeParseAsync === 'function';
}

/** Searches all parts of a schema, each once: a part may refer to itself. */
function hasOwnFunctions(source: unknown): boolean {
  const seen = new Set<unknown>();
  const waiting: unknown[] = [source];
  while (waiting.length > 0) {
    const part = waiting.pop();
    if (typeof part !== 'object' || part === null || seen.has(part)) continue;
    seen.add(part);
    const { def, parts } = insides(part);
    if (def && isOwnFunction(def)) return true;
    waiting.push(...parts);
  }
  return false;
}

interface Insides {
  /** The definition of a schema or a check; undefined for a part that only contains others. */
  readonly def?: Readonly<Record<string, unknown>>;
  readonly parts: readonly unknown[];
}

function insides(part: object): Insides {
  const zod: unknown = '_zod' in part ? part._zod : undefined;
  if (!isObject(zod)) return { parts: Object.values(part) };
  if (!isObject(zod['def'])) return { parts: [] };
  const { def } = zod;
  // A default is not a part of the schema, and a function may make it.
  const names = Object.keys(def).filter((name) => name !== 'defaultValue');
  const lazy = def['type'] === 'lazy' ? [zod['innerType']] : [];
  return { def, parts: [...names.map((name) => def[name]), ...lazy] };
}

/** A refinement, a `check`, a transformation or a codec. */
function isOwnFunction({ type, check, transform }: Readonly<Record<string, unknown>>): boolean {
  return check === 'custom' || type === 'custom' || type === 'transform' || typeof transform === 'function';
}
