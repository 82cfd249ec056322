/**
 * Issues of a library -> failures with the same messages as those of a DTO. Messages of an author stay unchanged; default messages of the
 * library are replaced with ours, as far as the listed schema defines what was wanted.
 */
import { describeFailures, isObject, shorten, type Failure } from '@sigil-mcp/base';
import type { JsonSchema } from '../json-schema';
import { mostFailures } from '../read/traversal';
import type { StandardIssue } from '../standard-schema';
import { pathOfKeys } from '../write/read-data';
import type { MemberPath, Sample } from './sample';
import { schemasAt } from './schemas-at';
import { branchesMeant } from './union-branches';
import { wantedBy } from './wanted-by';

/** How the default messages of zod, valibot and arktype begin or end. */
const BY_THE_LIBRARY = /^(Invalid |Too (small|big): |Unrecognized key)|\(was missing\)$|^(\S+ )?must be removed$/;

/**
 * The first failures, in the library's order.
 * @param value what was validated
 * @param schema the listed schema
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
 * The failures of a sample that apply to the whole value, too: those that the listed schema finds in the same place. An issue of an
 * author's function may only be caused by members that the sample lacks.
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

/** The failures that the listed schema finds at the place of an issue; undefined if it finds none. */
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

/** Alternatives, if none can be identified as the intended one: the first failure of each. */
function fitsNone(branches: readonly (readonly Failure[])[], path: string): string {
  const reasons = branches.map((failures) =>
    describeFailures(failures.slice(0, 1).map((each) => ({ ...each, path: within(each.path, path) }))),
  );
  return `fits none of ${branches.length} alternatives (${shorten([...new Set(reasons)].join('), ('), 400)})`;
}

function within(path: string, outer: string): string {
  return path.startsWith(outer) ? path.slice(outer.length).replace(/^\./, '') : path;
}

/** A library may wrap the keys of a path in objects. */
function keysOf({ path = [] }: StandardIssue): MemberPath {
  return [...path].map((part) => {
    const key = typeof part === 'object' ? part.key : part;
    return typeof key === 'symbol' ? String(key) : key;
  });
}

/** The unknown names that zod found, which it reports as one issue. */
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

function unknownFailure(within: MemberPath, name: string, { whole, schema }: Validated): Failure {
  const known = schemasAt(schema, within, whole).flatMap(({ properties }) =>
    isObject(properties) ? Object.keys(properties) : [],
  );
  const names = known.length > 0 ? `known: ${shorten([...new Set(known)].join(', '), 300)}` : 'known: none';
  return { path: shorten(pathOfKeys([...within, name]), 300), message: `is not a known property (${names})` };
}

function isUnknown(schemas: readonly JsonSchema[], name: string): boolean {
  const closed = schemas.filter(({ additionalProperties }) => additionalProperties === false);
  const knows = ({ properties }: JsonSchema): boolean => isObject(properties) && Object.hasOwn(properties, name);
  return closed.length > 0 && !schemas.some(knows);
}

function valueAt(whole: unknown, keys: MemberPath): { readonly isThere: boolean; readonly value: unknown } {
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

/** A message that is not ours; arktype repeats the place first, which the path contains already. */
function authorsWords(message: string, path: string): string {
  const words = path !== '' && message.startsWith(`${path} must `) ? message.slice(path.length + 1) : message;
  return shorten(words, 500) || 'is not valid';
}
