/** One property -> the plan of its value: one value, or an array, a Set, a Map or a record of values. */
import { isObject, shorten, type Class } from '@sigil-mcp/base';
import { acceptsWhole, kindTest } from '../read/accept-kinds';
import { comparable } from '../rules/constraint';
import type { Rule } from '../rules/rule';
import { hasUniqueItems } from '../rules/unique-items';
import type { Check, Kind, Tag, UnionPlan, ValuePlan } from '../value-plan';
import { dtoProblem, type DtoProblem } from './dto-problems';
import {
  containerOf,
  hasRules,
  nestedClass,
  recordType,
  unionMembers,
  type ContainerKind,
  type PropertySource,
} from './dto-rules';
import { isContradictory, planValue, type ValueFacts } from './plan-value';
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

// A value of several types -> its plan, and its possible problems.

/** Whether options are passed among the types of `@AnyOf`, where they have no effect. */
export function hasLostOptions(source: PropertySource): boolean {
  return unionMembers(source)?.some((member) => isObject(member)) === true;
}

/** The first problem of the types of `@AnyOf`. */
export function findUnionProblem(source: PropertySource): DtoProblem | undefined {
  const members = unionMembers(source);
  if (!members || members.length < 2)
    return dtoProblem('SIGIL_DTO_UNION', { reason: 'needs at least two types that are there' });
  const stranger = members.find((member) => !kindsOfType(member) && !isOwnClass(member));
  if (stranger !== undefined || members.includes(undefined))
    return dtoProblem('SIGIL_DTO_UNION', {
      reason: `cannot hold ${nameOf(stranger)}, only String, Number, Boolean, Date and classes`,
    });
  if (source.transformer.type !== undefined)
    return dtoProblem('SIGIL_DTO_UNION', { reason: 'names its types already, so that @Type says too much' });
  const spoken = new Set(members.flatMap((member) => kindsOf(member)));
  const lost = rulesAbout(source).find(
    ({ meaning }) => meaning?.kinds && !meaning.kinds.some((kind) => spoken.has(kind)),
  );
  return lost && dtoProblem('SIGIL_DTO_UNION', { reason: `holds no type that ${lost.name} speaks of` });
}

function nameOf(value: unknown): string {
  return typeof value === 'function' ? value.name : String(value);
}

function rulesAbout({ rules, union }: PropertySource): readonly Rule[] {
  return rules.rules.filter(({ each }) => each === union?.each);
}

function kindsOf(member: unknown): readonly Kind[] {
  return kindsOfType(member) ?? ['object'];
}

/** Plans `@AnyOf`: the other rules apply to their own types only. */
function planAnyOf(source: PropertySource, nullable: boolean): ValuePlan {
  const options = (unionMembers(source) ?? []).map((member) => {
    const kinds = kindsOf(member);
    const rules = rulesAbout(source).filter(
      ({ meaning }) => !meaning?.kinds || meaning.kinds.some((kind) => kinds.includes(kind)),
    );
    const nested = isOwnClass(member) ? source.planning.planClass(member) : undefined;
    return planValue(rules, {
      nullable: false,
      transformed: source.transformer.transform !== undefined,
      kinds,
      namesDate: member === Date,
      nested,
      returned: source.planning.direction === 'output',
    });
  });
  const possible = options.filter((option) => !isContradictory(option));
  const kinds = [...new Set(possible.flatMap((option) => [...(option.kinds ?? [])]))];
  // The options have the rules; this plan only describes them together.
  return {
    ...planValue([], { nullable, kinds, union: { options: possible, discriminator: undefined } }),
    integer: possible.some(({ integer }) => integer),
  };
}

interface SubType {
  readonly value: Class;
  readonly name: string;
}

/** The first problem of the discriminator of `@Type`. */
export function findDiscriminatorProblem({ transformer }: PropertySource): DtoProblem | undefined {
  const { property, subTypes } = transformer.discriminator ?? {};
  if (typeof property !== 'string' || property === '')
    return dtoProblem('SIGIL_DTO_DISCRIMINATOR', { reason: 'its property has no name' });
  const given: readonly unknown[] = Array.isArray(subTypes) ? subTypes : [];
  if (given.length === 0) return dtoProblem('SIGIL_DTO_DISCRIMINATOR', { reason: 'it has no subTypes' });
  if (!given.every(isSubType))
    return dtoProblem('SIGIL_DTO_DISCRIMINATOR', {
      reason: 'each of its subTypes needs a class that is there as its value, and a name',
    });
  const names = given.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined
    ? undefined
    : dtoProblem('SIGIL_DTO_DISCRIMINATOR', { reason: `it has the name '${twice}' twice` });
}

function isSubType(given: unknown): given is SubType {
  if (typeof given !== 'object' || given === null || !('value' in given) || !('name' in given)) return false;
  return isOwnClass(given.value) && typeof given.name === 'string';
}

/** Plans the choice of a discriminator; undefined without a discriminator. Its problems were reported before. */
function planDiscriminated({ dto, name, transformer, planning }: PropertySource): UnionPlan | undefined {
  const { property, subTypes, kept } = transformer.discriminator ?? {};
  if (typeof property !== 'string' || !Array.isArray(subTypes)) return undefined;
  const options = subTypes.filter(isSubType).map((subType) => {
    const tag: Tag = { property, value: subType.name, kept: kept === true };
    const nested = planning.planClass(subType.value, tag);
    planning.later(() => {
      const declared = nested.properties.find(({ wireName }) => wireName === property);
      if (declared && !acceptsWhole(declared.value, subType.name))
        planning.report(
          dto,
          name,
          dtoProblem('SIGIL_DTO_DISCRIMINATOR', {
            reason: `${subType.value.name}.${declared.name} does not accept its name '${subType.name}'`,
          }),
        );
    });
    return planValue([], { nullable: false, kinds: ['object'], nested });
  });
  return { options, discriminator: property };
}
