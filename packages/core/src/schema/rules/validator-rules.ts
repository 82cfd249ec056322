/**
 * The border to class-validator: its global metadata storage is read here, at start-up, into plain rules per property.
 * Groups are not filtered, as in class-validator when no group is asked for.
 */
import { getMetadataStorage, ValidationTypes } from 'class-validator';
import type { Class } from '../../values/class';
import { Rule, type Condition, type ValidatorMetadata } from './rule';

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
}

/** The rules of a class and its base classes by property; base classes first, then in source order. */
export function readRules(dto: Class): ReadonlyMap<string, PropertyRules> {
  const groups = new Map<string, ValidatorMetadata[]>();
  for (const metadata of findMetadata(dto)) {
    const group = groups.get(metadata.propertyName);
    if (group) group.push(metadata);
    else groups.set(metadata.propertyName, [metadata]);
  }
  const { name } = dto;
  const rules = new Map<string, PropertyRules>();
  for (const [property, group] of groups) rules.set(property, readProperty(name, group));
  return rules;
}

/** Base classes first. class-validator's search walks over every class that it knows, which only a class with a base needs. */
function findMetadata(dto: Class): readonly ValidatorMetadata[] {
  const storage = getMetadataStorage();
  // The cast opens a private member; where a version of class-validator lacks it, its slower search does the same.
  const { validationMetadatas } = storage as unknown as {
    validationMetadatas?: ReadonlyMap<unknown, ValidatorMetadata[]>;
  };
  const hasBase = Object.getPrototypeOf(dto) !== Function.prototype;
  if (!hasBase && validationMetadatas) return validationMetadatas.get(dto) ?? [];
  const found = storage.getTargetValidationMetadatas(dto, '', false, false);
  return [...found.filter(({ target }) => target !== dto), ...found.filter(({ target }) => target === dto)];
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
  return { rules: rules.reverse(), optional, anyValue, nested, conditions };
}

function pushRules(rules: Rule[], targetName: string, metadata: ValidatorMetadata): void {
  const constraints = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
  for (const constraint of constraints) rules.push(new Rule(targetName, metadata, constraint));
}
