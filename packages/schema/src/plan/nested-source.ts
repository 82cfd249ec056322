/** Whether a property holds instances, even without a decorator: a class with rules can only mean its instances. */
import { hasRules } from './dto-rules';
import { nestedClass, type PropertySource } from './property-source';

/** Whether the value of a property, or what it holds, is read as its class says. */
export function isNested(source: PropertySource): boolean {
  return source.rules.nested !== undefined || isGuessed(source);
}

/** Whether nothing but the class says so: there is no `@ValidateNested()`, and no rule that asks for another thing. */
export function isGuessed(source: PropertySource): boolean {
  const { rules, transformer, record, union } = source;
  if (rules.nested !== undefined || transformer.transform || union || record?.values) return false;
  if (transformer.discriminator) return true;
  const named = nestedClass(source);
  return named !== undefined && hasRules(named);
}
