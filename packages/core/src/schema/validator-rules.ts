/**
 * The border to class-validator: its global metadata storage is read here, at start-up, into plain rules per property.
 * Groups are not filtered, as in class-validator when no group is asked for.
 */
import { getMetadataStorage, ValidationTypes, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import type { Class } from '../decorators/facts';
import { ruleMessage, type MessageTemplate } from './rule-message';

type ValidatorMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];
type ValidatorConstraint = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidatorConstraints']>[number];

/** A condition on the object and the value, of `@ValidateIf` or of the option `validateIf`. */
export type Condition = (object: object, value: unknown) => boolean;

/** One constraint of class-validator on one property. */
export interface Rule {
  /** class-validator's name: `isInt`, `min`, or the one of a custom validator. */
  readonly name: string;
  readonly each: boolean;
  /** The decorator's arguments as class-validator keeps them. */
  readonly parameters: readonly unknown[];
  /** The option `validateIf`: the rule holds only where this does. */
  readonly condition: Condition | undefined;
  /** The author's own words, if there are any. */
  readonly hasOwnMessage: boolean;
  /** Asks class-validator's own implementation. */
  accepts(value: unknown, object: object): boolean | Promise<boolean>;
  message(value: unknown, object: object): string;
}

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
  const found = findMetadata(dto);
  const inherited = found.filter(({ target }) => target !== dto);
  const own = found.filter(({ target }) => target === dto);
  const byProperty = new Map<string, ValidatorMetadata[]>();
  for (const metadata of [...inherited, ...own]) {
    const group = byProperty.get(metadata.propertyName);
    if (group) group.push(metadata);
    else byProperty.set(metadata.propertyName, [metadata]);
  }
  return new Map([...byProperty].map(([property, group]) => [property, readProperty(dto, group)]));
}

/** class-validator's search walks over every class that it knows, which only a class with a base class needs. */
function findMetadata(dto: Class): readonly ValidatorMetadata[] {
  const storage = getMetadataStorage();
  // The cast opens a private member; where a version of class-validator lacks it, its slower search does the same.
  const { validationMetadatas } = storage as unknown as { validationMetadatas?: ReadonlyMap<unknown, ValidatorMetadata[]> };
  const hasBase = Object.getPrototypeOf(dto) !== Function.prototype;
  if (hasBase || !validationMetadatas) return storage.getTargetValidationMetadatas(dto, '', false, false);
  return validationMetadatas.get(dto) ?? [];
}

function readProperty(dto: Class, group: readonly ValidatorMetadata[]): PropertyRules {
  const conditional = group.filter(({ type }) => type === ValidationTypes.CONDITIONAL_VALIDATION);
  const nested = group.filter(({ type }) => type === ValidationTypes.NESTED_VALIDATION);
  return {
    rules: group.flatMap((metadata) => readRule(dto, metadata)).reverse(),
    optional: conditional.some(({ name }) => name === 'isOptional'),
    anyValue: group.some(({ type }) => type === ValidationTypes.WHITELIST),
    nested: nested.some(({ each }) => each) ? 'items' : nested.length > 0 ? 'value' : undefined,
    conditions: conditional
      .filter(({ name }) => name !== 'isOptional')
      // class-validator types its constraints as any; a conditional metadata holds exactly one condition.
      .map(({ constraints }) => constraints[0] as Condition),
  };
}

function readRule(dto: Class, metadata: ValidatorMetadata): Rule[] {
  const { type, constraintCls } = metadata;
  if (type !== ValidationTypes.CUSTOM_VALIDATION && type !== ValidationTypes.IS_DEFINED) return [];
  return getMetadataStorage()
    .getTargetValidatorConstraints(constraintCls)
    .map((constraint) => toRule(dto, metadata, constraint));
}

function toRule(dto: Class, metadata: ValidatorMetadata, constraint: ValidatorConstraint): Rule {
  // class-validator types both as any and always; they may be missing.
  const constraints = (metadata.constraints as unknown[] | undefined) ?? [];
  const ownMessage = metadata.message as MessageTemplate | undefined;
  const { propertyName: property } = metadata;
  const targetName = dto.name;
  // Named one by one, because spreading an object costs more than all the rest of a call.
  const given = (value: unknown, object: object): ValidationArguments => ({ property, targetName, constraints, value, object });
  let made: ValidatorConstraintInterface | undefined;
  // class-validator's container searches all its instances for one: too slow for a start with hundreds of classes.
  const validator = (): ValidatorConstraintInterface => (made ??= constraint.instance);
  return {
    name: constraint.name || metadata.type,
    each: metadata.each === true,
    parameters: constraints,
    condition: metadata.validateIf,
    hasOwnMessage: ownMessage !== undefined,
    accepts: (value, object) => validator().validate(value, given(value, object)),
    message: (value, object) =>
      ruleMessage(ownMessage, (subject) => validator().defaultMessage?.(subject), given(value, object)),
  };
}
