/** What can only be asked of a finished instance: custom validators, conditions, and rules after a transformation. */
import { refuse, type Place, type Run } from './run';
import type { LateCheck, PropertyPlan } from '../value-plan';

/** An object whose own properties were all accepted. */
export interface Finished {
  readonly object: Readonly<Record<string, unknown>>;
  readonly place: Place;
  readonly run: Run;
  /** By which of their names the object has its properties. */
  readonly named: 'name' | 'wireName';
}

/** Asks the late checks of all given properties. */
export function askLater(properties: readonly PropertyPlan[], finished: Finished): void {
  for (const property of properties) askProperty(property, finished);
}

function askProperty(property: PropertyPlan, { object, place, run, named }: Finished): void {
  const { presence, lateChecks, wireName } = property;
  const value = object[property[named]];
  const at = { parent: place, key: wireName };
  if (presence.conditions.length > 0) {
    if (!presence.conditions.every((condition) => isTrue(() => condition(object, value)))) return;
    if (value === undefined) refuse(run, at, presence.missingMessage);
  }
  const absent = value === undefined || (value === null && (property.value.nullable || !presence.required));
  if (absent) return;
  for (const check of lateChecks) {
    if (!isTrue(() => check.applies(object, value))) continue;
    const values: readonly unknown[] | undefined = check.each ? toList(value) : undefined;
    if (!values) askOne(check, { object, value, at, run });
    else values.forEach((item, index) => askOne(check, { object, value: item, at: { parent: at, key: index }, run }));
  }
}

interface Question {
  readonly object: object;
  readonly value: unknown;
  readonly at: Place;
  readonly run: Run;
}

function askOne(check: LateCheck, { object, value, at, run }: Question): void {
  const answered = (accepted: unknown): void => {
    if (!accepted) refuse(run, at, check.message(object, value));
  };
  try {
    const answer = check.accepts(object, value);
    if (answer instanceof Promise) run.pending.push(answer.then(answered, () => answered(false)));
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
