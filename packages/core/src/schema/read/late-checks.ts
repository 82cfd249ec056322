/** What can only be asked of a finished instance: custom validators, conditions, and rules after a transformation. */
import { noteFailure, type Location, type Traversal } from './traversal';
import type { LateCheck, PropertyPlan } from '../value-plan';

/** An object whose own properties were all accepted. */
export interface Finished<P> {
  readonly object: Readonly<Record<string, unknown>>;
  readonly location: Location;
  readonly traversal: Traversal;
  /** By which of their names the object has its properties. */
  readonly named: 'name' | 'wireName';
  /** Whether a property was given, rather than left as the class initialises it. */
  isGiven(property: P): boolean;
}

/** Asks the late checks of all given properties. */
export function askLater<P extends PropertyPlan>(properties: readonly P[], finished: Finished<P>): void {
  for (const property of properties) askProperty(property, finished);
}

function askProperty<P extends PropertyPlan>(property: P, finished: Finished<P>): void {
  const { object, location, traversal, named } = finished;
  const { presence, lateChecks, wireName } = property;
  const value = object[property[named]];
  const at = { parent: location, key: wireName };
  if (!presence.conditions.every((condition) => isTrue(() => condition(object, value)))) return;
  // An initialiser that is no default stands for no value.
  if (value === undefined || !(presence.hasDefault || finished.isGiven(property))) {
    if (presence.required === 'conditionally') noteFailure(traversal, at, presence.missingMessage);
    return;
  }
  if (value === null && (property.value.nullable || presence.optional)) return;
  for (const check of lateChecks) {
    if (!isTrue(() => check.applies(object, value))) continue;
    const values: readonly unknown[] | undefined = check.each ? toList(value) : undefined;
    if (!values) askOne(check, { object, value, at, traversal });
    else
      values.forEach((item, index) =>
        askOne(check, { object, value: item, at: { parent: at, key: index }, traversal }),
      );
  }
}

interface Question {
  readonly object: object;
  readonly value: unknown;
  readonly at: Location;
  readonly traversal: Traversal;
}

function askOne(check: LateCheck, { object, value, at, traversal }: Question): void {
  const answered = (accepted: unknown): void => {
    if (!accepted) noteFailure(traversal, at, check.message(object, value));
  };
  try {
    const answer = check.accepts(object, value);
    if (answer instanceof Promise) traversal.pending.push(answer.then(answered, () => answered(false)));
    else answered(answer);
  } catch {
    // Closed on doubt: a validator that trips over a value has not accepted it.
    answered(false);
  }
}

function toList(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  return value instanceof Set || value instanceof Map ? [...(value as Iterable<unknown>)] : undefined;
}

/** A condition that throws is taken to hold, so that nothing goes unchecked. */
function isTrue(condition: () => unknown): boolean {
  try {
    return Boolean(condition());
  } catch {
    return true;
  }
}
