/**
 * Plans properties with the same rules once: most of a thousand classes have many properties in common. A shared part depends neither on
 * the name of a property nor on its class; the checks of each property call its own validators.
 */
import type { Class } from '@sigil-mcp/base';
import type { Draft } from './plan-presence';
import { checksOf } from './plan-value';
import { isPlain, type ValidatorMetadata } from '../rules/rule';
import { getMetadataStorage, readRules, ValidationTypes } from '../rules/validator-metadata';
import { kindsOfType } from './value-types';

const { CONDITIONAL_VALIDATION, CUSTOM_VALIDATION, IS_DEFINED } = ValidationTypes;
const LIST = Symbol('list');
const NULLABLE = Symbol('nullable');
/** Not a string: a validator of the author may be called `isOptional`. */
const OPTIONAL = Symbol('optional');

/** Limits the memory of a program that adds and removes classes for a long time. */
const mostPlaces = 10_000;

/** A node of the tree, shared by all properties with the same rules. */
export interface DraftNode {
  /** Undefined until one of them was planned without problems. */
  draft: Draft | undefined;
  /** The next nodes, by the next rule. */
  readonly next: Map<unknown, DraftNode>;
}

/** The drafts of one server, in one direction. */
export class DraftCache {
  #root = openPlace();
  #places = 0;

  /**
   * The node of all properties with the same rules as this one; undefined if its rules cannot be compared.
   * @param emitted the type that the compiler emitted
   * @param group the metadata of class-validator for the property
   */
  placeOf(emitted: unknown, nullable: boolean, group: readonly ValidatorMetadata[]): DraftNode | undefined {
    if (emitted !== undefined && !kindsOfType(emitted)) return undefined;
    if (this.#places > mostPlaces) [this.#root, this.#places] = [openPlace(), 0];
    let place: DraftNode | undefined = this.#after(this.#root, emitted);
    if (nullable) place = this.#after(place, NULLABLE);
    for (let index = 0; index < group.length && place; index += 1) place = this.#afterRule(place, group[index]);
    return place;
  }

  /** A rule of class-validator for one value, without a message or condition of its own. */
  #afterRule(place: DraftNode, metadata: ValidatorMetadata | undefined): DraftNode | undefined {
    if (!metadata) return place;
    const { type, name, each, validateIf } = metadata;
    // class-validator types them as always there; they may be missing.
    const groups = metadata.groups as readonly unknown[] | undefined;
    if (type === CONDITIONAL_VALIDATION) return name === 'isOptional' ? this.#after(place, OPTIONAL) : undefined;
    if (type !== CUSTOM_VALIDATION && type !== IS_DEFINED) return undefined;
    if (each || validateIf || metadata.message !== undefined || metadata.context !== undefined) return undefined;
    if (groups !== undefined && groups.length > 0) return undefined;
    const constraints = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
    if (constraints.length !== 1) return undefined;
    const after = this.#after(place, constraints[0]?.name || type);
    // class-validator types the arguments of its decorators as any; they may be missing.
    const given = metadata.constraints as unknown[] | undefined;
    // A number cannot be confused with the name of the next rule.
    return given && given.length > 0 ? this.#afterList(after, given) : after;
  }

  #afterList(place: DraftNode, values: readonly unknown[]): DraftNode | undefined {
    let next: DraftNode | undefined = this.#after(place, values.length);
    for (let index = 0; index < values.length && next; index += 1) {
      const value = values[index];
      if (Array.isArray(value)) next = this.#afterList(this.#after(next, LIST), value);
      // Objects may change, and the same one seldom occurs twice.
      else next = isObjectOrFunction(value) ? undefined : this.#after(next, value);
    }
    return next;
  }

  #after({ next }: DraftNode, said: unknown): DraftNode {
    const known = next.get(said);
    if (known) return known;
    const opened = openPlace();
    next.set(said, opened);
    this.#places += 1;
    return opened;
  }
}

function openPlace(): DraftNode {
  return { draft: undefined, next: new Map() };
}

function isObjectOrFunction(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** The part of a property that is not shared. */
export interface Own extends Pick<Draft, 'name' | 'description' | 'extraKeywords'> {
  readonly dto: Class;
  readonly group: readonly ValidatorMetadata[];
}

/** The draft of a property with the same rules as another one. */
export function draftLike(known: Draft, { dto, name, description, extraKeywords, group }: Own): Draft {
  const checks = checksOf(() => readRules(dto.name, group).rules.filter(isPlain), false);
  return { ...known, name, wireName: name, description, extraKeywords, value: { ...known.value, checks } };
}
