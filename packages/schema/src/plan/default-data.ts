/** The initial value of a property in its class -> the value as it would be on the wire. */
import { isObject } from '@sigil-mcp/base';
import type { ValuePlan } from '../value-plan';

/** The JSON text of a planned value; undefined for values that JSON cannot represent: functions, cycles, BigInt. */
export function defaultText(plan: ValuePlan, value: unknown): string | undefined {
  try {
    return JSON.stringify(toData(plan, value), (_name, member: unknown) => open(member));
  } catch {
    return undefined;
  }
}

/** Adds the discriminator property to instances at any depth. */
function toData(plan: ValuePlan, given: unknown): unknown {
  const value = open(given);
  const { items, values, union } = plan;
  if (Array.isArray(value)) return items ? value.map((item) => toData(items, item)) : (value as unknown);
  if (!isObject(value)) return value;
  if (values) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toData(values, member)]));
  const tag = union?.options.find(({ nested }) => nested?.tag && value instanceof nested.dto)?.nested?.tag;
  return tag ? { [tag.property]: tag.value, ...value } : value;
}

/** A Set is an array, a Map an object. */
function open(value: unknown): unknown {
  if (value instanceof Set) return [...(value as Set<unknown>)];
  return value instanceof Map ? Object.fromEntries(value as Map<string, unknown>) : value;
}
