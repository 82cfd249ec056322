/**
 * The border to class-validator: its global metadata storage is read here, at start-up, into plain rules per property.
 * Groups are not filtered, as in class-validator when no group is asked for.
 */
import { withBases, type Class } from '../../values/class';
import { Rule, type Condition, type ValidatorMetadata } from './rule';
import { getMetadataStorage, ValidationTypes } from './validator-storage';

const { CONDITIONAL_VALIDATION, CUSTOM_VALIDATION, IS_DEFINED, NESTED_VALIDATION, WHITELIST } = ValidationTypes;

/** What class-validator knows about one property. */
export interface PropertyRules {
  readonly rules: readonly Rule[];
  /** `@IsOptional()`. */
  readonly optional: boolean;
  /** `@Allow()`. */
  readonly anyValue: boolean;
  /** `@ValidateNested()`, of the value or, with `each`, of its items. */
  readonly nested: 'value' | 'items' | undefined;
  /** `@ValidateIf()`. */
  readonly conditions: readonly Condition[];
  /** The class that decorates the property; undefined where none does. */
  readonly owner: unknown;
}

/**
 * The rules of a class and its base classes by property; base classes first, then in source order. The rules of a property are
 * those of the nearest class that decorates it, and none of what it overrides.
 */
export function readRules(dto: Class): ReadonlyMap<string, PropertyRules> {
  const { name } = dto;
  const rules = new Map<string, PropertyRules>();
  for (const [property, group] of findMetadata(dto)) rules.set(property, readProperty(name, group));
  return rules;
}

/** What class-validator knows by property, base classes first. Only the nearest class that decorates a property speaks for it. */
export function findMetadata(dto: Class): ReadonlyMap<string, ValidatorMetadata[]> {
  const groups = new Map<string, ValidatorMetadata[]>();
  for (const each of withBases(dto).reverse()) {
    const own = new Map<string, ValidatorMetadata[]>();
    for (const metadata of ownMetadata(each)) {
      const group = own.get(metadata.propertyName);
      if (group) group.push(metadata);
      else own.set(metadata.propertyName, [metadata]);
    }
    for (const [property, group] of own) groups.set(property, group);
  }
  return groups;
}

function ownMetadata(dto: Class): readonly ValidatorMetadata[] {
  const storage = getMetadataStorage();
  const all = openStorage();
  if (all) return all.get(dto) ?? [];
  return storage.getTargetValidationMetadatas(dto, '', false, false).filter(({ target }) => target === dto);
}

/**
 * The other classes that have a rule of a property, and not just a rule that says the same: each use of a decorator makes a
 * validator of its own, which stays with a rule that is copied.
 */
export function findSharing(dto: Class, property: string): Class[] {
  const validators = new Set(
    findMetadata(dto)
      .get(property)
      ?.map(({ constraintCls }): unknown => constraintCls),
  );
  validators.delete(undefined);
  return [...(openStorage() ?? [])].flatMap(([target, all]) =>
    target !== dto && all.some((each) => each.propertyName === property && validators.has(each.constraintCls))
      ? [target]
      : [],
  );
}

/** The cast opens a private member; where a version of class-validator lacks it, its slower search does for most. */
function openStorage(): ReadonlyMap<Class, ValidatorMetadata[]> | undefined {
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas?: ReadonlyMap<Class, ValidatorMetadata[]>;
  };
  return validationMetadatas;
}

/** One pass, because it is made for every property of every class at start. */
function readProperty(targetName: string, group: readonly ValidatorMetadata[]): PropertyRules {
  const rules: Rule[] = [];
  const conditions: Condition[] = [];
  let [optional, anyValue] = [false, false];
  let nested: PropertyRules['nested'];
  for (const metadata of group) {
    const { type, name } = metadata;
    if (type === CUSTOM_VALIDATION || type === IS_DEFINED) pushRules(rules, targetName, metadata);
    else if (type === WHITELIST) anyValue = true;
    else if (type === NESTED_VALIDATION) nested = metadata.each || nested === 'items' ? 'items' : 'value';
    else if (type === CONDITIONAL_VALIDATION && name === 'isOptional') optional = true;
    // class-validator types its constraints as any; a conditional metadata holds exactly one condition.
    else if (type === CONDITIONAL_VALIDATION) conditions.push(metadata.constraints[0] as Condition);
  }
  return { rules: rules.reverse(), optional, anyValue, nested, conditions, owner: group[0]?.target };
}

function pushRules(rules: Rule[], targetName: string, metadata: ValidatorMetadata): void {
  const constraints = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  for (const constraint of constraints) rules.push(new Rule(targetName, metadata, constraint));
}
