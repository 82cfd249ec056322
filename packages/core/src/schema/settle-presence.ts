/**
 * Whether a property must be sent: not if it is optional or if the class initialises it with a value that satisfies the
 * property's own rules. An initialiser such as `''` beside `@IsNotEmpty()` only pleases the compiler, so it is no default.
 */
import { compileValue } from './compile-value';
import { compileObjectReader } from './read-object';
import { openRun } from './run';
import type { PropertyPlan, ValuePlan } from './value-plan';

/** A planned property whose presence is not settled yet. */
export interface Draft extends Omit<PropertyPlan, 'presence'> {
  readonly optional: boolean;
  readonly conditions: PropertyPlan['presence']['conditions'];
  readonly missingMessage: string;
}

/** Settles it from two constructions of the class: what both agree on is the listed default. */
export function settlePresence(draft: Draft, [first, second]: readonly [object, object]): PropertyPlan {
  const { optional, conditions, missingMessage, ...rest } = draft;
  const initial = readMember(first, draft.name);
  const text = initial === undefined ? undefined : toText(initial);
  const usable = text !== undefined && isAccepted(draft.value, JSON.parse(text));
  const stable = usable && text === toText(readMember(second, draft.name));
  return {
    ...rest,
    presence: {
      required: !optional && !usable,
      missingMessage,
      conditions: usable ? [] : conditions,
      default: stable ? { json: JSON.parse(text) as unknown } : undefined,
    },
  };
}

function isAccepted(plan: ValuePlan, json: unknown): boolean {
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
