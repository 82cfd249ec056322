/** `@ValidateIf((_, value) => value !== null)`: class-validator's way to allow null. */
import type { Condition } from '../rules/rule';

const others: readonly unknown[] = ['text', 1, true, {}, []];

/**
 * Whether a condition does not hold for null, and holds for another value: then it is about null, and not only about the other
 * properties of its object.
 * @param sample an instance of the class, which is left as it is
 */
export function letNullPass(conditions: readonly Condition[], sample: object, name: string): boolean {
  const holds = (condition: Condition, value: unknown): boolean => {
    const object = Object.create(sample, {
      [name]: { value, enumerable: true, configurable: true, writable: true },
    }) as object;
    return Boolean(condition(object, value));
  };
  return conditions.some((condition) => {
    try {
      return !holds(condition, null) && others.some((value) => holds(condition, value));
    } catch {
      // It asks for more than a sample has: what it lets pass is known when it is asked of what was sent.
      return false;
    }
  });
}
