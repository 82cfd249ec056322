/** Whether a value is valid, as far as the alternatives of a schema tell. */
import { lengthOfFirst, schemasOfItem, schemasOfProperty, typeOf, type Branch, type Range } from './branch';
import { canonicalText, type Node, type Schema } from './json-document';
import { Constraints, DEEPEST, OPAQUE, type Union } from './constraints';

/** More alternatives than these are compared by their text. */
const MOST_BRANCHES = 64;

/** What a look into a property adds to the depth: alternatives and references behind it are not followed. */
const LOOK = DEEPEST + 1;

/** What is wanted: that a value is valid for sure, or that it may be. Formats, and constraints known as text only, leave doubts. */
type Certainty = 'surely' | 'perhaps';

/** Whether one of the branches accepts a value. */
export function accepts(branches: readonly Branch[], value: unknown, certainty: Certainty): boolean {
  return branches.some((branch) => branch.type === typeOf(value) && fits(branch, value, certainty));
}

function fits(branch: Branch, value: unknown, certainty: Certainty): boolean {
  if (branch.opaque.size + branch.formats.size > 0 && certainty === 'surely') return false;
  const { values } = branch;
  if (values && !values.some((one) => canonicalText(one) === canonicalText(value))) return false;
  if (typeof value === 'number')
    return isWithin(branch.range, value) && branch.multiples.every((step) => isMultiple(value, step));
  if (typeof value === 'string') return isText(branch, value);
  if (Array.isArray(value)) return areItems(branch, value, certainty);
  if (typeof value === 'object' && value !== null)
    return areProperties(branch, value as Readonly<Record<string, unknown>>, certainty);
  return true;
}

/** Whether a number is in a range. */
function isWithin({ least, most, isLeastOut, isMostOut }: Range, value: number): boolean {
  return (isLeastOut ? value > least : value >= least) && (isMostOut ? value < most : value <= most);
}

/** Whether a number is a multiple of another, as far as floating-point numbers tell. */
export function isMultiple(value: number, step: number): boolean {
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9 * Math.max(1, Math.abs(quotient));
}

function isText({ size, patterns }: Branch, value: string): boolean {
  return isWithin(size, [...value].length) && [...patterns].every((pattern) => matches(pattern, value));
}

function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return false;
  }
}

function areItems(branch: Branch, values: readonly unknown[], certainty: Certainty): boolean {
  if (!isWithin(branch.size, values.length)) return false;
  if (branch.isUnique && new Set(values.map((value) => canonicalText(value))).size < values.length) return false;
  const { document } = branch;
  const first = lengthOfFirst(branch);
  return values.every((value, index) => {
    const schemas = schemasOfItem(branch, Math.min(index, first));
    return accepts(branchesOf({ schemas, document }), value, certainty);
  });
}

function areProperties(branch: Branch, value: Readonly<Record<string, unknown>>, certainty: Certainty): boolean {
  const { document } = branch;
  const names = Object.keys(value);
  if (!isWithin(branch.size, names.length) || ![...branch.required].every((name) => Object.hasOwn(value, name)))
    return false;
  return names.every((name) =>
    accepts(branchesOf({ schemas: schemasOfProperty(branch, name), document }), value[name], certainty),
  );
}

/** The alternatives of a conjunction of schemas; none if no value is valid. A value of `values` may still be invalid. */
export function branchesOf(
  { schemas, document }: Node,
  depth = 0,
  followed: ReadonlySet<string> = new Set(),
): readonly Branch[] {
  const found = new Constraints(document, followed);
  if (!found.add(schemas, depth)) return [];
  const [union, ...others] = found.unions;
  if (!union) return found.branches();
  const rest = [...found.plain(), ...left(others)];
  const text = { [OPAQUE]: { type: undefined, text: found.opaqueText(union.keyword, union.schemas) } };
  if (isTooMuch(union, others, depth))
    return branchesOf({ schemas: [...rest, text], document }, depth + 1, found.followed);
  const options = union.schemas.map((schema) => branchesOf({ schemas: [schema], document }, depth + 1, found.followed));
  const isExact = union.keyword === 'anyOf' || areApart(options, (branch, name) => valuesOf(branch, name, depth));
  return union.schemas.flatMap((schema) =>
    branchesOf({ schemas: [...rest, schema, ...(isExact ? [] : [text])], document }, depth + 1, found.followed),
  );
}

function isTooMuch({ schemas }: Union, others: readonly Union[], depth: number): boolean {
  const count = others.reduce((product, other) => product * Math.max(1, other.schemas.length), schemas.length);
  return count > MOST_BRANCHES || depth > DEEPEST;
}

function left(unions: readonly Union[]): Schema[] {
  return unions.map(({ keyword, schemas }) => ({ [keyword]: schemas }));
}

/** The values of a property; undefined if there may be any. */
function valuesOf(branch: Branch, name: string, depth: number): readonly unknown[] | undefined {
  const schemas = schemasOfProperty(branch, name);
  const values = branchesOf({ schemas, document: branch.document }, depth + LOOK).map((each) => each.values);
  return values.every((each) => each !== undefined) ? values.flat() : undefined;
}

// Whether no value is valid for two of several alternatives: then `oneOf` says the same as `anyOf`.

/** The values of a property of a branch; undefined if there may be any. */
type BranchValues = (branch: Branch, name: string) => readonly unknown[] | undefined;

/** @param options the branches of each alternative */
function areApart(options: readonly (readonly Branch[])[], valuesOf: BranchValues): boolean {
  const isApart = (one: Branch, other: Branch): boolean => {
    if (one.type !== other.type) return true;
    if (one.values && other.values) return isDistinct(one.values, other.values);
    if (one.type !== 'object') return false;
    // A property by which they are told apart: it is there in all values of one of them.
    const always = [...one.required, ...other.required];
    return always.some((name) => isDistinct(valuesOf(one, name), valuesOf(other, name)));
  };
  return options.every((some, index) =>
    options.slice(index + 1).every((others) => some.every((one) => others.every((other) => isApart(one, other)))),
  );
}

function isDistinct(some: readonly unknown[] | undefined, others: readonly unknown[] | undefined): boolean {
  if (!some || !others) return false;
  const texts = new Set(some.map((value) => canonicalText(value)));
  return !others.some((value) => texts.has(canonicalText(value)));
}
