/**
 * Whether a property must be sent: not if it is optional or if the class initialises it with a value that satisfies the
 * property's own rules. An initialiser such as `''` beside `@IsNotEmpty()` only pleases the compiler, so it is no default.
 */
import { acceptsWhole } from '../read/accept-kinds';
import { compileValue } from '../read/compile-value';
import { compileObjectReader } from '../read/read-object';
import { openRun } from '../read/run';
import type { PropertyPlan, ValuePlan } from '../value-plan';

/** A planned property whose presence is not settled yet. */
export interface Draft extends Omit<PropertyPlan, 'presence'> {
  readonly optional: boolean;
  readonly conditions: PropertyPlan['presence']['conditions'];
  readonly missingMessage: string;
}

/** Settles it from two constructions of the class: what both agree on is the listed default. */
export function settlePresence(draft: Draft, [first, second]: readonly [object, object]): PropertyPlan {
  const { name, wireName, description, value, extraKeywords, lateChecks, transform } = draft;
  const { optional, conditions, missingMessage } = draft;
  const initial = readMember(first, name);
  const text = initial === undefined ? undefined : toText(initial);
  const usable = text !== undefined && isAccepted(value, JSON.parse(text));
  const stable = usable && text === toText(readMember(second, name));
  const presence = {
    required: !optional && !usable,
    missingMessage,
    conditions: usable ? [] : conditions,
    default: stable ? { json: JSON.parse(text) as unknown } : undefined,
  };
  // Named one by one: this runs for every property, and taking some members off a copy is slow.
  return { name, wireName, description, value, extraKeywords, presence, lateChecks, transform };
}

function isAccepted(plan: ValuePlan, json: unknown): boolean {
  if (!plan.nested && !plan.items) return acceptsWhole(plan, json);
  const run = openRun();
  compileValue(plan, compileObjectReader({}))(json, undefined, '', run);
  return run.failures.length === 0;
}

function readMember(object: object, name: string): unknown {
  try {
    // The one place where a DTO is read by name without knowing its class.
    return (object as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** Undefined for what JSON cannot say: functions, cycles, BigInt. */
function toText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
