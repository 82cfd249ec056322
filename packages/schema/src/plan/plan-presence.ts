/**
 * Finds the default of a property, and whether the property must be sent: not if it is optional or has a default. An initial value is a
 * default if it satisfies the property's own rules; `''` with `@IsNotEmpty()` only satisfies the compiler. With `@Transform`, an initial
 * value of another type than the sent one is a default that no schema can list.
 */
import { acceptsNull, acceptsWhole, kindTest } from '../read/accept-kinds';
import { compileValue, openTraversal } from '../read/compile-value';
import { compileObjectReader } from '../read/read-object';
import type { Presence, PropertyPlan, ValuePlan } from '../value-plan';
import type { Condition } from '../rules/rule';
import { isObject } from '@sigil-mcp/base';

const others: readonly unknown[] = ['text', 1, true, {}, []];

/** A property whose presence is still to be planned. */
export interface Draft extends Omit<PropertyPlan, 'presence'> {
  /** `@IsOptional`. */
  readonly optional: boolean;
  /** Its rules accept that there is no value. */
  readonly mayBeAbsent: boolean;
  readonly conditions: PropertyPlan['presence']['conditions'];
  readonly missingMessage: string;
  /** What its transformation makes is what the class initialises it with, rather than what travels. */
  readonly isMade: boolean;
  /** Where nothing initialises it: the presence of a property that is no member of new instances, and of one that is. */
  readonly uninitialised: { readonly bare?: Presence; readonly own?: Presence };
}

/** Plans it from two constructions of the class: a default on which both agree is listed. */
export function planPresence(draft: Draft, samples: readonly [object, object]): PropertyPlan {
  const { name, wireName, description, value, extraKeywords, lateChecks, transform } = draft;
  const { bare, own } = draft.uninitialised;
  if (bare && own && readMember(samples[0], name) === undefined) {
    const presence = Object.hasOwn(samples[0], name) || Object.hasOwn(samples[1], name) ? own : bare;
    return { name, wireName, description, value, extraKeywords, presence, lateChecks, transform };
  }
  return planInitialised(draft, samples);
}

/** What is the same for all properties that say the same and that no class initialises; undefined where it depends on the class. */
export function planUninitialised(draft: Omit<Draft, 'uninitialised'>): Draft['uninitialised'] {
  const { optional, mayBeAbsent, conditions, missingMessage } = draft;
  if (conditions.length > 0) return {};
  const required = optional || mayBeAbsent ? 'never' : 'always';
  const rest = { required, missingMessage, conditions, nullByCondition: false, optional } as const;
  const none = { hasDefault: false, listedDefault: undefined } as const;
  return {
    bare: { ...rest, ...none, takenOff: false },
    own: { ...rest, ...none, takenOff: required !== 'always' },
  };
}

function planInitialised(draft: Draft, [first, second]: readonly [object, object]): PropertyPlan {
  const { name, wireName, description, extraKeywords, lateChecks, transform } = draft;
  const { optional, mayBeAbsent, conditions, missingMessage } = draft;
  const isNullByCondition = conditions.length > 0 && !acceptsNull(draft.value) && letNullPass(conditions, first, name);
  const value = isNullByCondition ? { ...draft.value, nullable: true } : draft.value;
  const initial = readMember(first, name);
  const text = initial === undefined ? undefined : defaultText(value, initial);
  const hasDefault = text !== undefined && isAccepted(value, JSON.parse(text));
  const isStable = hasDefault && text === defaultText(value, readMember(second, name));
  const isOptional = optional || mayBeAbsent || hasDefault;
  const isInitialised = !hasDefault && draft.isMade && isOfOtherType(value, initial, text);
  const required = isOptional || isInitialised ? 'never' : conditions.length > 0 ? 'conditionally' : 'always';
  const isKept = required === 'conditionally' && initial !== undefined;
  const isOwn = Object.hasOwn(first, name) || Object.hasOwn(second, name);
  const presence: Presence = {
    required,
    missingMessage,
    conditions,
    nullByCondition: isNullByCondition,
    optional,
    hasDefault,
    listedDefault: isStable ? { json: JSON.parse(text) as unknown } : undefined,
    // What no condition asks about stays as the class has it.
    takenOff: required !== 'always' && !hasDefault && !isInitialised && isOwn && !isKept,
  };
  return { name, wireName, description, value, extraKeywords, presence, lateChecks, transform };
}

/** Whether an initialiser is what only a transformation makes of what travels: no schema can list it, and it needs no rules. */
function isOfOtherType(plan: ValuePlan, initial: unknown, text: string | undefined): boolean {
  if (initial === undefined || initial === null) return false;
  return text === undefined || !kindTest(plan)(JSON.parse(text));
}

function isAccepted(plan: ValuePlan, json: unknown): boolean {
  if (!plan.nested && !plan.items && !plan.values && !plan.union) return acceptsWhole(plan, json);
  const traversal = openTraversal();
  compileValue(plan, compileObjectReader({}))(json, undefined, '', traversal);
  return traversal.failures.length === 0;
}

function readMember(object: object, name: string): unknown {
  try {
    // The one place where a DTO is read by name without knowing its class.
    return (object as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/**
 * Whether a condition does not hold for null, and holds for another value: then it is about null, and not only about the other
 * properties of its object.
 * @param sample an instance of the class, which is left as it is
 */
function letNullPass(conditions: readonly Condition[], sample: object, name: string): boolean {
  const holds = (condition: Condition, value: unknown): boolean => {
    const object = Object.create(sample, {
      [name]: { value, enumerable: true, configurable: true, writable: true },
    }) as object;
    return Boolean(condition(object, value));
  };
  return conditions.some((condition) => {
    try {
      return !holds(condition, null) && others.some((value) => holds(condition, value));
    } catch {
      // It asks for more than a sample has: what it lets pass is known when it is asked of what was sent.
      return false;
    }
  });
}

/** The JSON text of a planned value; undefined for values that JSON cannot represent: functions, cycles, BigInt. */
function defaultText(plan: ValuePlan, value: unknown): string | undefined {
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
