/** The decorator behind `@Title`, for packages that add decorators with keywords of their own. */
import { addMemberFact } from '@sigil-mcp/base/facts';
import { listedKeywords } from '../dto-facts';
import type { JsonSchema } from '../json-schema';

/**
 * Adds keywords to the listed schema of a property as they are. They do not take part in validation.
 * @param decorator the name of the decorator that is made with it, for messages: `@Unit`
 * @example
 * ```const Unit = (unit: string) => listKeywords('@Unit', { 'x-unit': unit });```
 */
export function listKeywords(decorator: string, keywords: JsonSchema): PropertyDecorator {
  return (prototype, property) => addMemberFact(listedKeywords, prototype, property, { decorator, keywords });
}
