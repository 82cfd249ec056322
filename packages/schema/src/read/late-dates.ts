/**
 * Texts of dates that become Dates last: functions of the author (rules, conditions, transformations) get the text, as from
 * class-transformer, which makes a Date only where `@Type(() => Date)` says so.
 */
import { isObject } from '@sigil-mcp/base';
import { isDateText, readDateText } from '../date-text';
import type { ClassPlan, ValuePlan } from '../value-plan';

/** Whether a function of the author sees what is read. Where none does, a text becomes a Date when it is read. */
export function asksAuthor(plan: ClassPlan, seen = new Set<ClassPlan>()): boolean {
  if (seen.has(plan)) return false;
  seen.add(plan);
  return plan.properties.some(
    ({ value, transform, lateChecks, presence }) =>
      transform !== undefined ||
      lateChecks.length > 0 ||
      presence.conditions.length > 0 ||
      classesIn(value).some((nested) => asksAuthor(nested, seen)),
  );
}

function classesIn({ nested, items, values, union }: ValuePlan): readonly ClassPlan[] {
  const held = [items, values, ...(union?.options ?? [])];
  return [...(nested ? [nested] : []), ...held.flatMap((plan) => (plan ? classesIn(plan) : []))];
}

/** Whether a value is such a text, or holds some. */
export function isLate({ isLateDate, items, values }: ValuePlan): boolean {
  return isLateDate || items?.isLateDate === true || values?.isLateDate === true;
}

/** The value with its Dates, without changing it. What is no text of a date stays: a transformation has made it. */
export function withDates(plan: ValuePlan, value: unknown): unknown {
  if (plan.isLateDate) return typeof value === 'string' && isDateText(value) ? readDateText(value) : value;
  const held = plan.items ?? plan.values;
  if (!held) return value;
  const make = (item: unknown): unknown => withDates(held, item);
  if (Array.isArray(value)) return value.map(make);
  if (value instanceof Set) return new Set([...(value as Set<unknown>)].map(make));
  const byName = ([name, member]: [unknown, unknown]): [unknown, unknown] => [name, make(member)];
  if (value instanceof Map) return new Map([...(value as Map<unknown, unknown>)].map(byName));
  const isRecord = isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
  return isRecord ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, make(member)])) : value;
}
