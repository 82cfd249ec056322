/** Rules about one value -> its checks. */
import { readDateText } from '../date-text';
import { FITS_FORMAT } from '../form-formats';
import { comparable } from '../rules/constraint-meaning';
import type { PlainRule } from '../rules/rule';
import { shorten } from '@sigil-mcp/base';
import type { Check } from '../value-plan';

/**
 * The checks, made when they are first asked for: of a thousand tools most are never called.
 * @param ofDates class-validator is given a Date of the text, because `@Type` names that class
 */
export function checksOf(rules: () => readonly PlainRule[], ofDates: boolean): () => readonly Check[] {
  let checks: readonly Check[] | undefined;
  return () => (checks ??= rules().flatMap((rule) => toCheck(rule, ofDates)));
}

/** `@ArrayUnique(identifier)` hides its function; two bare objects betray it, which are different values without one. */
export function hasIdentifier(rule: PlainRule): boolean {
  return rule.name === 'arrayUnique' && !asksValidator(rule, [{}, {}]);
}

/**
 * class-validator is asked even where the plan decides alone: a custom validator may bear the name of a built-in one, and
 * must not go unasked.
 */
function toCheck(rule: PlainRule, ofDates: boolean): Check[] {
  const { meaning } = rule;
  // A rule about texts is about the one that was sent.
  const asDate = ofDates && !meaning.kinds && !meaning.allowed;
  const asks = (value: unknown): boolean => asksValidator(rule, asDate ? readDateText(String(value)) : value);
  if (meaning.allowed) return [toListCheck(rule, comparable(meaning.allowed), asks)];
  const accepts = meaning.checkedBy ?? asks;
  const { formFormat } = meaning;
  const check: Check = {
    name: rule.name,
    accepts,
    ...(formFormat && {
      formFormat,
      acceptsInForm: (value: unknown) =>
        (typeof value === 'string' && FITS_FORMAT[formFormat](value)) || accepts(value),
    }),
    message: (value) => rule.message(value, {}),
  };
  // What an identifier of @ArrayUnique finds equal, only class-validator can tell.
  return hasIdentifier(rule) ? [check, { ...check, accepts: asks }] : [check];
}

/** Closed on doubt: a validator that trips over a value has not accepted it. */
function asksValidator(rule: PlainRule, value: unknown): boolean {
  try {
    return rule.accepts(value, {}) === true;
  } catch {
    return false;
  }
}

function toListCheck(rule: PlainRule, allowed: readonly unknown[], asks: (value: unknown) => boolean): Check {
  const values = new Set(allowed);
  const listed = shorten(allowed.map((value) => JSON.stringify(value)).join(', '), 300);
  const message = allowed.length === 1 ? `must be ${listed}` : `must be one of ${listed}`;
  return {
    name: rule.name,
    accepts: (value) => values.has(value) && asks(value),
    message: (value) => (rule.hasOwnMessage ? rule.message(value, {}) : message),
  };
}
