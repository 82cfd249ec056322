/** What class-validator knows of a property -> plain rules. Groups are not filtered, as in class-validator without a requested group. */
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
}

/**
 * The rules of a property, in source order.
 * @param targetName the name of the class that is read, which may have inherited the property
 * @param group what class-validator knows of the property
 */
export function readRules(targetName: string, group: readonly ValidatorMetadata[]): PropertyRules {
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
