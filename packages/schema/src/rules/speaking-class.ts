/** Finds the class whose rules apply to a property: the nearest one with rules for it. Rules of its base classes are overridden. */
import { memberFactsOwner, type FactKind } from '@sigil-mcp/base/facts';
import type { Class } from '@sigil-mcp/base';
import { nullables, records, unions } from '../dto-facts';

/** Our decorators that are rules. `@Nullable` is not a rule by itself: it adds to existing rules. */
const ruleFacts: readonly FactKind<unknown>[] = [unions, records];

/**
 * Finds the class.
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
