/** A schema -> its alternatives, each of one type, so that two schemas can be compared. */
import { areApart } from './are-apart';
import { schemasOfProperty, type Branch } from './branch';
import { Constraints, DEEPEST, OPAQUE, type Union } from './constraints';
import type { Node, Schema } from './json-document';

/** More alternatives than these are compared by their text. */
const MOST_BRANCHES = 64;
/** What a look into a property adds to the depth: alternatives and references behind it are not followed. */
const LOOK = DEEPEST + 1;

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
