/** The port to class-validator: its global metadata storage is read here, at start-up. */
import type * as ClassValidator from 'class-validator';
import { withBases, type Class } from '@sigil-mcp/base';
import { memberFactsOwner, type FactKind } from '@sigil-mcp/base/facts';
import { nullables, records, unions } from '../dto-facts';
import { withLateDecorators } from './late-decorators';
import { Rule, type Condition, type ValidatorMetadata } from './rule';

// The parts of class-validator that read the metadata of its decorators, file by file: its main entry loads all of its validators, and a
// server whose authors import none of them should not pay for that. Its storage is registered globally, so there is one for the
// process, regardless of who loads it.

// The casts stand for the types of the main entry, which re-exports these files: they have no types of their own.
/* eslint-disable @typescript-eslint/no-require-imports -- no types to import, and bundlers follow a plain require */
const metadata = require('class-validator/cjs/metadata/MetadataStorage') as typeof ClassValidator;
const validation = require('class-validator/cjs/validation/ValidationTypes') as typeof ClassValidator;
const { IsOptional: optional } = require('class-validator/cjs/decorator/common/IsOptional') as typeof ClassValidator;
/* eslint-enable @typescript-eslint/no-require-imports */

/** The metadata of class-validator for all classes. */
export const { getMetadataStorage } = withLateDecorators(metadata);
/** The kinds of rules of class-validator. */
export const { ValidationTypes } = validation;
/** The decorator of optional properties. */
export const IsOptional = optional;

/** Our decorators that are rules. `@Nullable` is not a rule by itself: it adds to existing rules. */
const ruleFacts: readonly FactKind<unknown>[] = [unions, records];

const { CONDITIONAL_VALIDATION, CUSTOM_VALIDATION, IS_DEFINED, NESTED_VALIDATION, WHITELIST } = ValidationTypes;

/**
 * What class-validator knows about one property.
 *
 * What class-validator knows of a property -> plain rules. Groups are not filtered, as in class-validator without a requested group.
 */
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

/** What class-validator knows by property, base classes first. Only the nearest class that decorates a property speaks for it. */
export function findMetadata(dto: Class): ReadonlyMap<string, ValidatorMetadata[]> {
  let all: Map<string, ValidatorMetadata[]> | undefined;
  for (const each of withBases(dto).reverse()) {
    const own = groupByProperty(ownMetadata(each));
    all = all && all.size > 0 ? new Map([...all, ...own]) : own;
  }
  return all ?? new Map<string, ValidatorMetadata[]>();
}

function groupByProperty(metadata: readonly ValidatorMetadata[]): Map<string, ValidatorMetadata[]> {
  const groups = new Map<string, ValidatorMetadata[]>();
  for (const each of metadata) {
    const group = groups.get(each.propertyName);
    if (group) group.push(each);
    else groups.set(each.propertyName, [each]);
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

/**
 * Finds the class.
 *
 * Finds the class whose rules apply to a property: the nearest one with rules for it. Rules of its base classes are overridden.
 * @param validatedBy the nearest class with rules of class-validator for the property
 */
export function findSpeaker(dto: Class, property: string, validatedBy: unknown): unknown {
  const owners = ruleFacts.map((kind) => memberFactsOwner(kind, dto, property));
  return owners.reduce<unknown>(
    (near, other) => (near === undefined || isAbove(near, other) ? (other ?? near) : near),
    validatedBy,
  );
}

/** Our facts of a property that a subclass overrides. */
export function overriddenFacts(dto: Class, property: string, speaker: unknown): readonly FactKind<unknown>[] {
  return [...ruleFacts, nullables].filter((kind) => isAbove(memberFactsOwner(kind, dto, property), speaker));
}

/** Whether a class is a base class of another one. */
export function isAbove(base: unknown, other: unknown): boolean {
  return typeof base === 'function' && typeof other === 'function' && base !== other && other.prototype instanceof base;
}
