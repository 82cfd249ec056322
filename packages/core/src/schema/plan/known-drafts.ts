/**
 * Properties that say the same are planned once: most of a thousand classes have what many others have, too. Only what is neither
 * about the name of a property nor about its class is shared; the checks of each ask its own validators.
 */
import type { Class } from '../../values/class';
import type { Draft } from './plan-presence';
import { checksOf } from './rule-checks';
import { isPlain, type ValidatorMetadata } from '../rules/rule';
import { readRules } from '../rules/validator-rules';
import { getMetadataStorage, ValidationTypes } from '../rules/validator-storage';
import { kindsOfType } from './value-types';

const { CONDITIONAL_VALIDATION, CUSTOM_VALIDATION, IS_DEFINED } = ValidationTypes;
const LIST = Symbol('list');
const NULLABLE = Symbol('nullable');
/** No text: a validator of the author's may be called `isOptional`. */
const OPTIONAL = Symbol('optional');

/** Whoever adds and removes classes for a long time does not make it grow without end. */
const mostPlaces = 10_000;

/** Where all come together that say the same. */
export interface Place {
  /** Undefined until the first of them was planned without a word against it. */
  draft: Draft | undefined;
  /** By what is said next. */
  readonly next: Map<unknown, Place>;
}

/** The drafts of one server, in one direction. */
export class KnownDrafts {
  #root = openPlace();
  #places = 0;

  /**
   * The place of all properties that say the same as one; undefined for one that says what cannot be compared.
   * @param emitted the type that the compiler emitted
   * @param group what class-validator knows of the property
   */
  placeOf(emitted: unknown, nullable: boolean, group: readonly ValidatorMetadata[]): Place | undefined {
    if (emitted !== undefined && !kindsOfType(emitted)) return undefined;
    if (this.#places > mostPlaces) [this.#root, this.#places] = [openPlace(), 0];
    let place: Place | undefined = this.#after(this.#root, emitted);
    if (nullable) place = this.#after(place, NULLABLE);
    for (let index = 0; index < group.length && place; index += 1) place = this.#afterRule(place, group[index]);
    return place;
  }

  /** A rule of one value, in the words of class-validator and under no condition. */
  #afterRule(place: Place, metadata: ValidatorMetadata | undefined): Place | undefined {
    if (!metadata) return place;
    const { type, name, each, validateIf } = metadata;
    if (type === CONDITIONAL_VALIDATION) return name === 'isOptional' ? this.#after(place, OPTIONAL) : undefined;
    if (type !== CUSTOM_VALIDATION && type !== IS_DEFINED) return undefined;
    if (each || validateIf || metadata.message !== undefined || metadata.context !== undefined) return undefined;
    const constraints = getMetadataStorage().getTargetValidatorConstraints(metadata.constraintCls);
    if (constraints.length !== 1) return undefined;
    const after = this.#after(place, constraints[0]?.name || type);
    // class-validator types the arguments of its decorators as any; they may be missing.
    const given = metadata.constraints as unknown[] | undefined;
    // A number cannot be taken for the name of the next rule.
    return given && given.length > 0 ? this.#afterList(after, given) : after;
  }

  #afterList(place: Place, values: readonly unknown[]): Place | undefined {
    let next: Place | undefined = this.#after(place, values.length);
    for (let index = 0; index < values.length && next; index += 1) {
      const value = values[index];
      if (Array.isArray(value)) next = this.#afterList(this.#after(next, LIST), value);
      // What is no value of its own may change, and is seldom there twice.
      else next = isObjectOrFunction(value) ? undefined : this.#after(next, value);
    }
    return next;
  }

  #after({ next }: Place, said: unknown): Place {
    const known = next.get(said);
    if (known) return known;
    const opened = openPlace();
    next.set(said, opened);
    this.#places += 1;
    return opened;
  }
}

function openPlace(): Place {
  return { draft: undefined, next: new Map() };
}

function isObjectOrFunction(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** What is not shared of a property. */
export interface Own extends Pick<Draft, 'name' | 'description' | 'extraKeywords'> {
  readonly dto: Class;
  readonly group: readonly ValidatorMetadata[];
}

/** The draft of a property that says the same as another one. */
export function draftLike(known: Draft, { dto, name, description, extraKeywords, group }: Own): Draft {
  const checks = checksOf(() => readRules(dto.name, group).rules.filter(isPlain), known.value.kinds);
  return { ...known, name, wireName: name, description, extraKeywords, value: { ...known.value, checks } };
}
