/**
 * What a library found wrong -> failures in the words that a DTO has for the same. Words that an author wrote stay as they are; those
 * that the library has by itself are ours again, as far as the listed schema says what was wanted.
 */
import { describeFailures, type Failure } from '../../errors/failure';
import { isObject } from '../../values/plain-object';
import { shorten } from '../../values/shorten';
import type { JsonSchema } from '../json-schema';
import { mostFailures } from '../read/traversal';
import type { StandardIssue } from '../standard-schema';
import { pathOfKeys } from '../write/read-data';
import type { Keys, Sample } from './sample';
import { schemasAt } from './schemas-at';
import { branchesMeant } from './union-branches';
import { wantedBy } from './wanted-by';

/** How the messages of zod, valibot and arktype begin or end that no author wrote. */
const BY_THE_LIBRARY = /^(Invalid |Too (small|big): |Unrecognized key)|\(was missing\)$|^(\S+ )?must be removed$/;

/**
 * The first failures, in the library's order.
 * @param value what was validated
 * @param schema what is listed
 */
export function issueFailures(
  issues: readonly StandardIssue[],
  value: unknown,
  schema: JsonSchema,
): readonly Failure[] {
  // A copy: the lists of arktype make lists of their own kind.
  return [...issues]
    .slice(0, mostFailures)
    .flatMap((issue) => failuresOf(issue, value, schema))
    .slice(0, mostFailures);
}

/**
 * The failures of a sample that are those of the whole, too: the listed schema says the same of the same place. What a function of the
 * author's finds may be about all that the sample lacks.
 */
export function sampleFailures(
  issues: readonly StandardIssue[],
  sample: Sample,
  { whole, schema }: Validated,
): readonly Failure[] {
  const found: Failure[] = [];
  for (const issue of issues) {
    if (found.length >= mostFailures) break;
    const path = sample.placeOf(keysOf(issue));
    const there = path && { ...issue, message: issue.message, path };
    if (there && listedFailures(there, whole, schema)) found.push(...failuresOf(there, whole, schema));
  }
  return found.slice(0, mostFailures);
}

function failuresOf(issue: StandardIssue, whole: unknown, schema: JsonSchema): readonly Failure[] {
  const keys = keysOf(issue);
  const path = shorten(pathOfKeys(keys), 300);
  const isOurs = BY_THE_LIBRARY.test(issue.message);
  if (!isOurs) return [{ path, message: authorsWords(issue.message, path) }];
  const listed = listedFailures(issue, whole, schema);
  if (listed) return listed;
  const [branch, ...others] = branchesMeant(issue).map((branch) =>
    branch.flatMap((part) => failuresOf({ ...part, path: [...keys, ...keysOf(part)] }, whole, schema)),
  );
  if (!branch) return [{ path, message: authorsWords(issue.message, path) }];
  return others.length === 0 ? branch : [{ path, message: fitsNone([branch, ...others], path) }];
}

/** What the listed schema says is wrong where a library found something; undefined where it says nothing. */
function listedFailures(issue: StandardIssue, whole: unknown, schema: JsonSchema): readonly Failure[] | undefined {
  const keys = keysOf(issue);
  const path = shorten(pathOfKeys(keys), 300);
  const unknown = unknownNames(issue);
  if (unknown) return unknown.map((name) => unknownFailure(keys, name, { whole, schema }));
  const place = keys.at(-1);
  const within = keys.slice(0, -1);
  const around = valueAt(whole, within);
  if (place !== undefined && around.isThere && !hasKey(around.value, place)) return [{ path, message: 'is required' }];
  if (typeof place === 'string' && isUnknown(schemasAt(schema, within, whole), place))
    return [unknownFailure(within, place, { whole, schema })];
  const wanted = wantedBy(schemasAt(schema, keys, whole), valueAt(whole, keys).value);
  return wanted === undefined ? undefined : [{ path, message: wanted }];
}

/** Alternatives of which none can be told to be the one that was meant: the first reason of each. */
function fitsNone(branches: readonly (readonly Failure[])[], path: string): string {
  const reasons = branches.map((failures) =>
    describeFailures(failures.slice(0, 1).map((each) => ({ ...each, path: within(each.path, path) }))),
  );
  return `fits none of ${branches.length} alternatives (${shorten([...new Set(reasons)].join('), ('), 400)})`;
}

function within(path: string, outer: string): string {
  return path.startsWith(outer) ? path.slice(outer.length).replace(/^\./, '') : path;
}

/** A library may put the keys of a path into objects. */
function keysOf({ path = [] }: StandardIssue): Keys {
  return [...path].map((part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'symbol' ? String(key) : key;
  });
}

/** The names that zod found unknown, of which it makes one issue. */
function unknownNames(issue: StandardIssue): readonly string[] | undefined {
  const { keys } = issue as { readonly keys?: unknown };
  const areNames = Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'string');
  return areNames && issue.message.startsWith('Unrecognized') ? keys : undefined;
}

/** A value, and the schema that is listed for it. */
export interface Validated {
  readonly whole: unknown;
  readonly schema: JsonSchema;
}

function unknownFailure(within: Keys, name: string, { whole, schema }: Validated): Failure {
  const known = schemasAt(schema, within, whole).flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  const names = known.length > 0 ? `known: ${shorten([...new Set(known)].join(', '), 300)}` : 'there are none';
  return { path: shorten(pathOfKeys([...within, name]), 300), message: `is not a known property (${names})` };
}

function isUnknown(schemas: readonly JsonSchema[], name: string): boolean {
  const closed = schemas.filter(({ additionalProperties }) => additionalProperties === false);
  const knows = ({ properties }: JsonSchema): boolean => isObject(properties) && Object.hasOwn(properties, name);
  return closed.length > 0 && !schemas.some(knows);
}

function valueAt(whole: unknown, keys: Keys): { readonly isThere: boolean; readonly value: unknown } {
  let value = whole;
  for (const key of keys) {
    if (!hasKey(value, key)) return { isThere: false, value: undefined };
    // It has this key.
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return { isThere: typeof value === 'object' && value !== null, value };
}

function hasKey(value: unknown, key: string | number): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key);
}

/** Words that are not ours; arktype's name the place first, which the path says already. */
function authorsWords(message: string, path: string): string {
  const words = path !== '' && message.startsWith(`${path} must `) ? message.slice(path.length + 1) : message;
  return shorten(words, 500) || 'is not valid';
}
