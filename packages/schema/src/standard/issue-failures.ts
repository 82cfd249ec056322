/**
 * Issues of a library -> failures with the same messages as those of a DTO. Messages of an author stay unchanged; default messages of the
 * library are replaced with ours, as far as the listed schema defines what was wanted.
 */
import { describeFailures, isObject, shorten, type Failure } from '@sigil-mcp/base';
import type { JsonSchema } from '../value-plan';
import { deepestLevel, mostFailures } from '../read/compile-value';
import type { StandardIssue } from '../standard-schema';
import { pathOfKeys } from '../write/write-object';
import { wantedBy, hasTypeOf } from './wanted-by';
import { resolveReference } from '../local-reference';

/**
 * The path from a value to a part of it.
 *
 * A random part of a large value. A library finds all problems of a value and makes an object for each: for a million bad rows it needs
 * more memory than a process has. So a part of a large value is validated first.
 */
type MemberPath = readonly (string | number)[];

/** The most members that are chosen from one array or object. */
const mostMembers = 200;

/** How many of these come from the beginning: a problem of all members is reported for the first. */
const inFront = 50;

/** Values in a sample, after which only one member of each array and object is chosen. */
const mostValues = 5000;

/** A JSON value with fewer members than the original. */
export class Sample {
  readonly value: unknown;
  /** Copies with missing members -> the positions that the chosen members have in the original. */
  readonly #cut = new Map<unknown, readonly number[]>();
  #left = mostValues;

  constructor(whole: unknown) {
    this.value = this.#copy(whole);
  }

  /**
   * The place of a part of the sample in the original.
   * @returns undefined if the problem may exist in the sample only: containers that were cut, and members that were left out
   */
  placeOf(keys: MemberPath): MemberPath | undefined {
    let at = this.value;
    const place: (string | number)[] = [];
    for (const key of keys) {
      const positions = this.#cut.get(at);
      const isThere = typeof at === 'object' && at !== null && Object.hasOwn(at, key);
      if (positions && !isThere) return undefined;
      place.push(Array.isArray(at) && positions ? (positions[Number(key)] ?? key) : key);
      at = isThere ? (at as Readonly<Record<string | number, unknown>>)[key] : undefined;
    }
    return this.#cut.has(at) ? undefined : place;
  }

  #copy(value: unknown, level = 0): unknown {
    this.#left -= 1;
    if (typeof value !== 'object' || value === null || level > deepestLevel) return value;
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const count = names?.length ?? (value as readonly unknown[]).length;
    const chosen = this.#choose(count);
    const members = chosen.map((index): [string | number, unknown] => {
      const name = names?.[index] ?? index;
      return [name, this.#copy((value as Readonly<Record<string | number, unknown>>)[name], level + 1)];
    });
    const made = names ? Object.fromEntries(members) : members.map(([, item]) => item);
    if (chosen.length < count) this.#cut.set(made, chosen);
    return made;
  }

  /** Positions in their order. */
  #choose(count: number): readonly number[] {
    const most = this.#left > 0 ? mostMembers : 1;
    if (count <= most) return Array.from({ length: count }, (_, index) => index);
    const chosen = new Set(Array.from({ length: Math.min(most, inFront) }, (_, index) => index));
    while (chosen.size < most) chosen.add(Math.floor(Math.random() * count));
    return [...chosen].sort((one, other) => one - other);
  }
}

type IssueBranch = readonly StandardIssue[];

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

/**
 * The alternatives that a value may have meant: those of its kind whose literals fit, or else those of its kind.
 * @returns what is wrong with each; nothing for an issue that is of no union
 */
function branchesMeant(issue: StandardIssue): readonly IssueBranch[] {
  const { errors } = issue as { readonly errors?: unknown };
  if (!Array.isArray(errors)) return [];
  const branches = errors.filter(isBranch);
  const ofKind = branches.filter((branch) => !branch.some(isOfOtherKind));
  const meant = ofKind.filter((branch) => !branch.some(isOtherLiteral));
  return meant.length > 0 ? meant : ofKind;
}

function isBranch(errors: unknown): errors is IssueBranch {
  return Array.isArray(errors) && errors.length > 0 && errors.every((each) => isObject(each) && 'message' in each);
}

function isOfOtherKind({ path = [], ...issue }: StandardIssue): boolean {
  return path.length === 0 && 'code' in issue && issue.code === 'invalid_type';
}

/** Whether a member, such as `kind`, is the one text of another alternative. */
function isOtherLiteral({ path = [], ...issue }: StandardIssue): boolean {
  const { code, values } = issue as { readonly code?: unknown; readonly values?: unknown };
  return path.length === 1 && code === 'invalid_value' && Array.isArray(values) && values.length === 1;
}

/**
 * The schemas that speak of the part of a value at a path; of alternatives those that the value may have meant.
 * @param keys names and positions from the whole value down to the part
 */
function schemasAt(root: JsonSchema, keys: readonly (string | number)[], whole: unknown): readonly JsonSchema[] {
  let schemas = alternativesOf(root, root, whole);
  let value = whole;
  for (const key of keys) {
    value =
      isObject(value) || Array.isArray(value) ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;
    schemas = schemas.flatMap((schema) => stepInto(schema, key)).flatMap((part) => alternativesOf(part, root, value));
  }
  return schemas;
}

/** A schema without references and alternatives: its own keywords, and each alternative that the value may match. */
function alternativesOf(schema: JsonSchema, root: JsonSchema, value: unknown, depth = 0): readonly JsonSchema[] {
  const resolved = resolveReference(schema, root);
  const parts = [resolved['anyOf'], resolved['oneOf'], resolved['allOf']].flatMap((part) =>
    Array.isArray(part) ? (part as unknown[]) : [],
  );
  // A schema that refers to itself without an object in between has no meaning.
  if (parts.length === 0 || depth > 10) return [resolved];
  const all = parts.filter(isObject).flatMap((part) => alternativesOf(part, root, value, depth + 1));
  const meant = all.filter((part) => hasTypeOf(part, value) && hasTagsOf(part, value));
  return meant.length > 0 ? meant : all;
}

/** Whether an object has what a schema demands of its constant members. */
function hasTagsOf({ properties }: JsonSchema, value: unknown): boolean {
  if (!isObject(properties) || !isObject(value)) return true;
  return Object.entries(properties).every(
    ([name, property]) => !isObject(property) || !('const' in property) || value[name] === property['const'],
  );
}

function stepInto(
  { properties, items, prefixItems, additionalProperties }: JsonSchema,
  key: string | number,
): readonly JsonSchema[] {
  const named = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
  const placed =
    Array.isArray(prefixItems) && typeof key === 'number' ? ((prefixItems as unknown[])[key] ?? items) : items;
  const found = typeof key === 'number' ? placed : named;
  return isObject(found) ? [found] : [];
}
