/** `@Describe`: a description of a property or a whole class for the model; listed in the JSON Schema. */
import { addClassFact, addMemberFact } from '@sigil-mcp/base/facts';
import { descriptions } from '../dto-facts';
import type { Class } from '@sigil-mcp/base';

/** Decorates a class or a property. */
export type DescribeDecorator = (target: object, property?: string | symbol) => void;

/**
 * Describes a property of a DTO (or the DTO itself) for the model; listed as `description` in its JSON Schema.
 *
 * @example
 * ```class ForecastQuery { @Describe('City name, for example "Oslo"') @IsString() city!: string; }```
 */
export function Describe(text: string): DescribeDecorator {
  return (target, property) => {
    if (property !== undefined) addMemberFact(descriptions, target, property, text);
    // Without a property the decorator stands on a class, so the target is its constructor.
    else addClassFact(descriptions, target as Class, text);
  };
}
