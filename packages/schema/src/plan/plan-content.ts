/** One property -> the plan of its value: one value, or an array, a Set, a Map or a record of values. */
import { hasRules } from './dto-rules';
import { planAnyOf, planDiscriminated } from './plan-union';
import { planValue, type ValueFacts } from './plan-value';
import { containerOf, nestedClass, recordType, type ContainerKind, type PropertySource } from './property-source';
import { comparable } from '../rules/constraint-meaning';
import { hasUniqueItems } from '../rules/unique-items';
import { kindTest } from '../read/accept-kinds';
import { shorten } from '@sigil-mcp/base';
import type { Rule } from '../rules/rule';
import type { Check, ValuePlan } from '../value-plan';
import { isOwnClass, kindsOfType } from './value-types';

/** Plans the value of a property of which no problem was found. */
export function planContent(source: PropertySource): ValuePlan {
  const value = planGiven(source);
  return source.choices && !value.allowed && !value.items && !value.values ? withChoices(value, source.choices) : value;
}

function planGiven(source: PropertySource): ValuePlan {
  const container = containerOf(source);
  const { rules, emitted, transformer, nullable, union } = source;
  if (container) return planContainer(source, container);
  if (union) return planAnyOf(source, nullable);
  const transformed = transformer.transform !== undefined;
  const fallbackKinds = kindsOfType(transformer.type ?? emitted);
  const namesDate = transformer.type === Date;
  return planOne(source, rules.rules, {
    nullable,
    transformed,
    fallbackKinds,
    namesDate,
    returned: isReturned(source),
  });
}

type OneValue = Pick<ValueFacts, 'nullable' | 'transformed' | 'kinds' | 'fallbackKinds' | 'namesDate' | 'returned'>;

function isReturned({ planning }: PropertySource): boolean {
  return planning.direction === 'output';
}

/** A value that is no container: of a class, of one that a discriminator chooses, or of the types that its rules name. */
function planOne(source: PropertySource, rules: readonly Rule[], one: OneValue): ValuePlan {
  const union = isNested(source) && planDiscriminated(source);
  if (union) return planValue(rules, { ...one, kinds: ['object'], union });
  const type = nestedClass(source);
  if (type === undefined) {
    // Instances of a class that is not known are objects of any kind.
    return planValue(rules, source.rules.nested && !isWritten(source) ? { ...one, fallbackKinds: ['object'] } : one);
  }
  const holdsInstances = isNested(source) || isOwnClass(recordType(source));
  const nested = holdsInstances ? source.planning.planClass(type) : undefined;
  if (nested && (nested.properties.length > 0 || hasRules(type)))
    return planValue(rules, { ...one, kinds: ['object'], nested });
  const declared = { ...one, declared: type };
  return planValue(rules, isWritten(source) ? declared : { ...declared, fallbackKinds: ['object'] });
}

/** Whether an instance may stand for a value of another type: one that a handler returns writes itself as it likes. */
function isWritten({ planning, transformer }: PropertySource): boolean {
  return planning.direction === 'output' || transformer.transform !== undefined;
}

function planContainer(source: PropertySource, container: ContainerKind): ValuePlan {
  const { rules, nullable, union } = source;
  const held = union?.each ? planAnyOf(source, false) : planHeld(source);
  const whole = rules.rules.filter(({ each }) => !each);
  if (container === 'map' || container === 'record')
    return planValue(whole, {
      nullable,
      kinds: ['object'],
      values: held,
      made: container === 'map' ? 'Map' : undefined,
    });
  const plan = planValue(whole, {
    nullable,
    kinds: ['array'],
    items: held,
    made: container === 'set' ? 'Set' : undefined,
  });
  return container === 'set' ? withUniqueItems(plan) : plan;
}

function planHeld(source: PropertySource): ValuePlan {
  const { rules, transformer } = source;
  const inner = rules.rules.filter(({ each }) => each);
  const type = recordType(source);
  return planOne(source, inner, {
    nullable: false,
    transformed: transformer.transform !== undefined,
    kinds: kindsOfType(type),
    fallbackKinds: kindsOfType(transformer.type),
    namesDate: transformer.type === Date || type === Date,
    returned: isReturned(source),
  });
}

const unique: Check = {
  name: 'uniqueItems',
  accepts: (value) => !Array.isArray(value) || hasUniqueItems(value),
  // A form cannot express it, and a Set holds each item once anyway.
  acceptsInForm: () => true,
  message: () => 'must not hold an item twice',
};

function withUniqueItems(plan: ValuePlan): ValuePlan {
  if (plan.keywords['uniqueItems'] === true) return plan;
  return { ...plan, keywords: { ...plan.keywords, uniqueItems: true }, checks: () => [...plan.checks(), unique] };
}

/** What something else than a rule names as the only values: what is listed is what is accepted. */
function withChoices(plan: ValuePlan, choices: readonly unknown[]): ValuePlan {
  const allowed = comparable(choices).filter((value) => kindTest(plan)(value));
  if (allowed.length === 0) return plan;
  const check: Check = {
    name: 'enum',
    accepts: (value) => allowed.includes(value),
    message: () => `must be one of ${shorten(allowed.map((value) => JSON.stringify(value)).join(', '), 300)}`,
  };
  return { ...plan, allowed, checks: () => [...plan.checks(), check] };
}

/** Whether the value of a property, or what it holds, is read as its class says. */
export function isNested(source: PropertySource): boolean {
  return source.rules.nested !== undefined || isGuessed(source);
}

/** Whether nothing but the class says so: there is no `@ValidateNested()`, and no rule that asks for another thing. */
export function isGuessed(source: PropertySource): boolean {
  const { rules, transformer, record, union } = source;
  if (rules.nested !== undefined || transformer.transform || union || record?.values) return false;
  if (transformer.discriminator) return true;
  const named = nestedClass(source);
  return named !== undefined && hasRules(named);
}
