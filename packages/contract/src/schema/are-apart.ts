/** Whether no value is valid for two of several alternatives: then `oneOf` says the same as `anyOf`. */
import type { Branch } from './branch';
import { canonicalText } from './canonical-text';

/** The values of a property of a branch; undefined if there may be any. */
type BranchValues = (branch: Branch, name: string) => readonly unknown[] | undefined;

/** @param options the branches of each alternative */
export function areApart(options: readonly (readonly Branch[])[], valuesOf: BranchValues): boolean {
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
