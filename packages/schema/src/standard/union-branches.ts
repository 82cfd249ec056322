/** The issues that zod found for each alternative of a union, and the alternatives that a value may match. */
import { isObject } from '@sigil-mcp/base';
import type { StandardIssue } from '../standard-schema';

type Branch = readonly StandardIssue[];

/**
 * The alternatives that a value may have meant: those of its kind whose literals fit, or else those of its kind.
 * @returns what is wrong with each; nothing for an issue that is of no union
 */
export function branchesMeant(issue: StandardIssue): readonly Branch[] {
  const { errors } = issue as { readonly errors?: unknown };
  if (!Array.isArray(errors)) return [];
  const branches = errors.filter(isBranch);
  const ofKind = branches.filter((branch) => !branch.some(isOfOtherKind));
  const meant = ofKind.filter((branch) => !branch.some(isOtherLiteral));
  return meant.length > 0 ? meant : ofKind;
}

function isBranch(errors: unknown): errors is Branch {
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
